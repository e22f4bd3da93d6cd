//! A tree of moves: a game with its variations, where each position has a number that it keeps.

use crate::notation::play_in_san;
use shakmaty::{Move, Outcome};
use squarewise_engine::position::variant_position::VariantPosition;

use crate::pgn::{GameRecord, Ply, annotate, writer};
use squarewise_engine::position::game::Game;

/// The most positions of a tree.
const MAX_NODES: usize = 20_000;

/// A position of the tree, and the move that led to it.
pub(super) struct Node {
    pub(super) parent: usize,
    /// The moves from here, the main one first.
    pub(super) children: Vec<usize>,
    /// The move with its annotations; its variations are the other children of the parent. The
    /// root has no move, but annotations.
    pub(super) ply: Ply,
    /// The move in SAN; empty at the root.
    pub(super) san: String,
    pub(super) position: VariantPosition,
}

/// A game with variations. Positions are named by numbers, the first is 0; numbers of what was
/// deleted aren't used again.
pub(super) struct Tree {
    pub(super) tags: Vec<(String, String)>,
    pub(super) outcome: Outcome,
    nodes: Vec<Option<Node>>,
}

/// Where a game begins: a position, and the moves that led to it, so that repetitions count.
#[derive(Clone)]
pub(super) struct Beginning {
    pub(super) start: VariantPosition,
    pub(super) moves: Vec<Move>,
}

impl From<VariantPosition> for Beginning {
    fn from(start: VariantPosition) -> Beginning {
        Beginning {
            start,
            moves: Vec::new(),
        }
    }
}

/// The number of the position at the start.
pub(super) const ROOT: usize = 0;

impl Tree {
    /// A tree of one position.
    pub(super) fn new(start: VariantPosition) -> Tree {
        let root = Node {
            parent: ROOT,
            children: Vec::new(),
            ply: Ply::new(None),
            san: String::new(),
            position: start,
        };
        Tree {
            tags: Vec::new(),
            outcome: Outcome::Unknown,
            nodes: vec![Some(root)],
        }
    }

    /// The tree of a game with all its variations.
    pub(super) fn from_record(record: GameRecord) -> Result<Tree, String> {
        let mut tree = Tree::new(record.start);
        tree.tags = record.tags;
        tree.outcome = record.outcome;
        annotate(&mut tree.node_mut(ROOT)?.ply, &record.comment);
        // Lines, and where they begin. What comes first stays the main line.
        let mut lines = std::collections::VecDeque::from([(ROOT, record.plies)]);
        while let Some((mut at, plies)) = lines.pop_front() {
            for mut ply in plies {
                let variations = std::mem::take(&mut ply.variations);
                lines.extend(variations.into_iter().map(|line| (at, line)));
                at = tree.add(at, ply)?;
            }
        }
        Ok(tree)
    }

    /// The game with all its variations.
    pub(super) fn record(&self) -> GameRecord {
        let root = &self.nodes[ROOT];
        let root = root.as_ref().expect("the root is never deleted");
        GameRecord {
            tags: self.tags.clone(),
            start: root.position.clone(),
            comment: writer::annotations(&root.ply).trim().to_owned(),
            plies: self.line_from(ROOT),
            outcome: self.outcome,
        }
    }

    /// The main moves after a position, with the variations beside each.
    fn line_from(&self, mut at: usize) -> Vec<Ply> {
        let mut line = Vec::new();
        while let Ok(node) = self.node(at)
            && let [main, others @ ..] = node.children.as_slice()
        {
            let mut ply = self.ply(*main);
            let variation = |first: &usize| {
                let mut plies = vec![self.ply(*first)];
                plies.extend(self.line_from(*first));
                plies
            };
            ply.variations = others.iter().map(variation).collect();
            line.push(ply);
            at = *main;
        }
        line
    }

    fn ply(&self, id: usize) -> Ply {
        self.node(id)
            .map_or_else(|_| Ply::new(None), |node| node.ply.clone())
    }

    /// The position with this number.
    pub(super) fn node(&self, id: usize) -> Result<&Node, String> {
        let node = self.nodes.get(id).and_then(Option::as_ref);
        node.ok_or_else(|| "this position is no longer in the game".to_owned())
    }

    pub(super) fn node_mut(&mut self, id: usize) -> Result<&mut Node, String> {
        let node = self.nodes.get_mut(id).and_then(Option::as_mut);
        node.ok_or_else(|| "this position is no longer in the game".to_owned())
    }

    /// All positions with their numbers; each comes after its parent, and after its elder siblings.
    pub(super) fn in_order(&self) -> Vec<(usize, &Node)> {
        let mut order = Vec::new();
        let mut rest = vec![ROOT];
        while let Some(id) = rest.pop() {
            if let Ok(node) = self.node(id) {
                order.push((id, node));
                rest.extend(node.children.iter().rev());
            }
        }
        order
    }

    /// Plays a legal move; a move that is there already leads to where it led. Returns the number,
    /// and whether it is new.
    pub(super) fn play(&mut self, at: usize, m: Move) -> Result<(usize, bool), String> {
        let mut children = self.node(at)?.children.iter();
        let found =
            children.find(|child| self.node(**child).is_ok_and(|node| node.ply.m == Some(m)));
        match found {
            Some(id) => Ok((*id, false)),
            None => Ok((self.add(at, Ply::new(m))?, true)),
        }
    }

    /// As [`play`](Tree::play), but the move becomes the main one there.
    pub(super) fn play_as_main(&mut self, at: usize, m: Move) -> Result<(usize, bool), String> {
        let (id, is_new) = self.play(at, m)?;
        let children = &mut self.node_mut(at)?.children;
        children.retain(|child| *child != id);
        children.insert(0, id);
        Ok((id, is_new))
    }

    /// Makes the moves of a game the main line. Returns the numbers of its positions, the first one
    /// included.
    pub(super) fn play_game(&mut self, moves: &[Move]) -> Result<Vec<usize>, String> {
        let mut at = ROOT;
        let mut line = vec![at];
        for m in moves {
            (at, _) = self.play_as_main(at, *m)?;
            line.push(at);
        }
        Ok(line)
    }

    fn add(&mut self, at: usize, ply: Ply) -> Result<usize, String> {
        if self.nodes.len() >= MAX_NODES {
            return Err(format!(
                "a game can have at most {MAX_NODES} positions here"
            ));
        }
        let id = self.nodes.len();
        let before = self.node_mut(at)?;
        before.children.push(id);
        let mut position = before.position.clone();
        let san = match ply.m {
            Some(m) => play_in_san(&mut position, m).to_string(),
            None => ply.play_in_san(&mut position),
        };
        self.nodes.push(Some(Node {
            parent: at,
            children: Vec::new(),
            ply,
            san,
            position,
        }));
        Ok(id)
    }

    /// Deletes a move and all that follows. Returns where it was played.
    pub(super) fn delete(&mut self, id: usize) -> Result<usize, String> {
        let parent = self.node(id)?.parent;
        if id == ROOT {
            return Err("the first position stays".to_owned());
        }
        self.node_mut(parent)?.children.retain(|child| *child != id);
        let mut rest = vec![id];
        while let Some(id) = rest.pop() {
            if let Some(node) = self.nodes[id].take() {
                rest.extend(node.children);
            }
        }
        Ok(parent)
    }

    /// Makes the variation of a position the more important one where it begins.
    pub(super) fn promote(&mut self, id: usize) -> Result<(), String> {
        for id in self.path(id)?.into_iter().rev() {
            let parent = self.node(id)?.parent;
            let siblings = &mut self.node_mut(parent)?.children;
            let place = siblings.iter().position(|child| *child == id);
            if let Some(place) = place.filter(|place| *place > 0) {
                siblings.swap(place - 1, place);
                return Ok(());
            }
        }
        Err("this is the main line already".to_owned())
    }

    /// The numbers from the first move to a position; empty for the root.
    pub(super) fn path(&self, id: usize) -> Result<Vec<usize>, String> {
        let mut path = Vec::new();
        let mut at = id;
        while at != ROOT {
            path.push(at);
            at = self.node(at)?.parent;
        }
        path.reverse();
        Ok(path)
    }

    /// The numbers of the main line, the root first.
    pub(super) fn main_line(&self) -> Vec<usize> {
        let mut line = vec![ROOT];
        while let Ok(node) = self.node(line[line.len() - 1])
            && let Some(first) = node.children.first()
        {
            line.push(*first);
        }
        line
    }

    /// The first position.
    pub(super) fn start(&self) -> &VariantPosition {
        let root = self.nodes[ROOT].as_ref();
        &root.expect("the root is never deleted").position
    }

    /// The moves up to a position.
    pub(super) fn moves(&self, id: usize) -> Result<Vec<Option<Move>>, String> {
        let path = self.path(id)?.into_iter();
        path.map(|id| Ok(self.node(id)?.ply.m)).collect()
    }

    /// A game that goes on from a position. Where a move was passed, nothing before it can be
    /// played again, and neither can a game that the rules had ended before.
    pub(super) fn beginning(&self, at: usize) -> Result<Beginning, String> {
        let moves: Option<Vec<Move>> = self.moves(at)?.into_iter().collect();
        let has_ended = |moves: &[Move]| {
            let mut game = Game::new(self.start().clone());
            let mut earlier = moves.iter().take(moves.len().saturating_sub(1));
            earlier.any(|m| {
                game.play(*m);
                game.end_by_the_rules().is_some()
            })
        };
        Ok(match moves {
            Some(moves) if !has_ended(&moves) => Beginning {
                start: self.start().clone(),
                moves,
            },
            _ => self.node(at)?.position.clone().into(),
        })
    }

    /// The game up to a position, so that repetitions are known.
    pub(super) fn game(&self, id: usize) -> Result<Game, String> {
        let mut game = Game::new(self.start().clone());
        for m in self.moves(id)? {
            match m {
                Some(m) => game.play(m),
                None => game.make_null_move(),
            }
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::super::named_moves::named_moves;
    use super::super::shapes::shapes_of;
    use super::*;
    use crate::pgn::Games;

    fn tree(pgn: &str) -> Tree {
        let game = Games::new(pgn.as_bytes()).next().expect("a game");
        let record = game.expect("it can be read").record.expect("it is whole");
        Tree::from_record(record).expect("it is short")
    }

    fn pgn(tree: &Tree) -> String {
        let mut text = Vec::new();
        writer::write(&tree.record(), &mut text).expect("memory takes everything");
        let text = String::from_utf8(text).expect("PGN is text");
        let (_, moves) = text.split_once("\n\n").expect("tags and moves");
        moves.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    const GAME: &str = "{before all} 1. e4 $1 (1. d4 {solid} 1... d5 (1... Nf6 2. c4) 2. c4) (1. c4) \
                        1... e5 {[%cal Ge2e4] well} 2. Nf3 *";

    #[test]
    fn a_game_goes_into_the_tree_and_comes_out_as_it_was() {
        assert_eq!(pgn(&tree(GAME)), GAME);
    }

    #[test]
    fn arrows_clock_and_evaluation_of_the_first_position_are_known_and_kept() {
        let game = "{[%eval 0.31,14] [%clk 0:05:00] [%csl Ge4] [%cal Ge2e4] Plan} 1. e4 *";
        let tree = tree(game);
        let root = &tree.node(ROOT).expect("the root").ply;
        assert_eq!(root.comment, "Plan");
        assert_eq!(shapes_of(&root.commands), ["Ge4", "Ge2e4"]);
        assert!(root.clock.is_some() && root.evaluation.is_some());
        assert_eq!(pgn(&tree), game);
    }

    #[test]
    fn a_variation_is_promoted_and_deleted() {
        let mut tree = tree(GAME);
        let children = tree.node(ROOT).expect("the root").children.clone();
        tree.promote(children[2]).expect("a variation");
        tree.promote(children[2]).expect("a variation");
        assert!(pgn(&tree).starts_with("{before all} 1. c4 (1. e4"));
        assert!(tree.promote(children[2]).is_err());
        assert_eq!(tree.delete(children[1]), Ok(ROOT));
        assert_eq!(
            pgn(&tree),
            "{before all} 1. c4 (1. e4 $1 e5 {[%cal Ge2e4] well} 2. Nf3) *"
        );
        assert!(tree.node(children[1]).is_err());
        assert!(tree.delete(ROOT).is_err());
    }

    #[test]
    fn a_game_that_the_rules_had_ended_before_begins_with_the_position_alone() {
        let tree = tree("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 *");
        let line = tree.main_line();
        let moves_before = |ply: usize| {
            let beginning = tree.beginning(line[ply]).expect("it is there");
            beginning.moves.len()
        };
        assert_eq!([0, 7, 8, 9, 10].map(moves_before), [0, 7, 8, 0, 0]);
    }

    #[test]
    fn a_move_that_is_there_is_not_added_again() {
        let mut tree = tree(GAME);
        let (name, m) = named_moves(tree.start()).remove(0);
        let (id, is_new) = tree.play(ROOT, m).expect("there is room");
        assert!(is_new, "{name}");
        assert_eq!(tree.play(ROOT, m), Ok((id, false)));
    }
}
