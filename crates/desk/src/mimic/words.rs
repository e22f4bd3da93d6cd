//! What a style is like in chess words: "moves the h-pawn more readily".

use shakmaty::Role;

use squarewise_engine::style::Trait;

/// What a player does who has the trait, such as `gives check`.
pub fn phrase(named: Trait) -> String {
    use Trait::*;
    let fixed = match named {
        Moves(role) => return format!("moves {}", with_article(role)),
        Takes(role) => return format!("takes {}", with_article(role)),
        PawnOf(file) => return format!("moves the {}-pawn", file.char()),
        Check => "gives check",
        CastlesShort => "castles on the king's side",
        CastlesLong => "castles on the queen's side",
        Promotes => "promotes a pawn",
        Recaptures => "captures what has just moved",
        Trades => "exchanges piece for piece",
        Withdraws => "moves a piece that is attacked",
        IntoPawn => "goes where a pawn attacks",
        Offers => "offers material",
        Advances => "goes forward with a piece",
        Retreats => "goes back with a piece",
        TowardsEnemyKing => "goes towards the enemy king",
        TowardsOwnKing => "goes back towards its own king",
        PawnStorm => "moves pawns in front of the enemy king",
        OpensOwnKing => "moves pawns in front of its own king",
        DoubleStep => "moves a pawn two steps",
        SamePiece => "moves the same piece again",
        Threatens => "threatens a piece",
        AtEnemyKing => "attacks squares around the enemy king",
        Develops => "develops a knight or bishop",
        QueensOff => "exchanges queens",
        PiecesOff => "exchanges pieces in the next moves",
        Sacrifices => "gives material for other things",
        WinsMaterial => "goes for material",
    };
    fixed.to_owned()
}

fn with_article(role: Role) -> &'static str {
    match role {
        Role::Pawn => "a pawn",
        Role::Knight => "a knight",
        Role::Bishop => "a bishop",
        Role::Rook => "a rook",
        Role::Queen => "the queen",
        Role::King => "the king",
    }
}
