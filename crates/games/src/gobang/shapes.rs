//! What a stone would make of a line, by look-up: a five, a four, an open three.
//!
//! The four points on each side of an empty one are 16 bits of its line. A table says for each of
//! these 65,536 numbers what Black makes by playing there; for White the colors are exchanged.

use std::sync::LazyLock;

use super::windows::exchange_colors;

/// What a stone makes of one line, from nothing to a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// Nothing.
    Nothing,
    /// A stone more makes a three.
    Two,
    /// A stone more makes an open three.
    OpenTwo,
    /// A stone more makes a four.
    Three,
    /// A stone more makes an open four: the opponent must answer.
    OpenThree,
    /// A stone more makes five, in one way only.
    Four,
    /// A stone more makes five in two ways, of which the opponent can stop one.
    OpenFour,
    /// The win.
    Five,
}

/// The eight neighbours, the point itself in their midst: empty, own, or blocked.
type Stretch = [u8; 9];

const EMPTY: u8 = 0;
const OWN: u8 = 1;
const BLOCKED: u8 = 2;
const MIDDLE: usize = 4;

/// What Black makes of each stretch.
fn black_shapes() -> Vec<Shape> {
    let mut known = vec![None; 3usize.pow(9)];
    let symbol = |bits: usize| match bits & 3 {
        0 => EMPTY,
        1 => OWN,
        _ => BLOCKED,
    };
    let shape = |neighbours: usize| {
        let mut stretch = [OWN; 9];
        for index in 0..MIDDLE {
            stretch[index] = symbol(neighbours >> (2 * index));
            stretch[MIDDLE + 1 + index] = symbol(neighbours >> (2 * (MIDDLE + index)));
        }
        shape_of(&mut stretch, &mut known)
    };
    (0..1 << 16).map(shape).collect()
}

/// The shape of a stretch, by what its empty points would make of it.
fn shape_of(stretch: &mut Stretch, known: &mut [Option<Shape>]) -> Shape {
    let index = stretch
        .iter()
        .fold(0, |index, symbol| 3 * index + usize::from(*symbol));
    if let Some(shape) = known[index] {
        return shape;
    }
    let is_five = stretch
        .windows(5)
        .any(|five| five.iter().all(|symbol| *symbol == OWN));
    let shape = if is_five {
        Shape::Five
    } else {
        next_shape(stretch, known)
    };
    known[index] = Some(shape);
    shape
}

fn next_shape(stretch: &mut Stretch, known: &mut [Option<Shape>]) -> Shape {
    let mut best = Shape::Nothing;
    let mut fives = 0;
    for index in 0..stretch.len() {
        if stretch[index] == EMPTY {
            stretch[index] = OWN;
            let shape = shape_of(stretch, known);
            stretch[index] = EMPTY;
            best = best.max(shape);
            fives += u32::from(shape == Shape::Five);
        }
    }
    match (best, fives) {
        (Shape::Five, 2..) => Shape::OpenFour,
        (Shape::Five, _) => Shape::Four,
        (Shape::OpenFour, _) => Shape::OpenThree,
        (Shape::Four, _) => Shape::Three,
        (Shape::OpenThree, _) => Shape::OpenTwo,
        (Shape::Three, _) => Shape::Two,
        _ => Shape::Nothing,
    }
}

/// What both colors would make of a line, for each stretch.
#[derive(Debug)]
pub(crate) struct ShapeTable {
    shapes: Vec<[Shape; 2]>,
}

static SHAPES: LazyLock<ShapeTable> = LazyLock::new(|| {
    let black = black_shapes();
    let both = |stretch| [black[stretch], black[exchange_colors(stretch)]];
    ShapeTable {
        shapes: (0..1 << 16).map(both).collect(),
    }
});

/// The table of all stretches.
pub(crate) fn shape_table() -> &'static ShapeTable {
    &SHAPES
}

impl ShapeTable {
    /// What Black and White would make of a line by playing on the point whose bits begin at
    /// `shift`.
    pub(crate) fn at(&self, line: u64, shift: u8) -> [Shape; 2] {
        let stretch = line >> (shift - 2 * MIDDLE as u8);
        self.shapes[(stretch & 0xff | stretch >> 2 & 0xff00) as usize]
    }
}
