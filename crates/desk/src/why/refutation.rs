//! The reply that refutes a move: what it does, and what it wins.

use shakmaty::{Position, Role};

use super::ScoredLine;
use super::coach::Coach;
use super::comparison::strongest;
use super::exchanges::attackers;
use super::force::Harvest;
use super::lines::{played, told};
use super::tactics::deeds;
use super::threat::Threat;
use super::words::{numbered, numbered_line, piece_on, role_name, side_name};
use squarewise_engine::position::played_move::{captured_square, captures_own};
use squarewise_engine::search::see::value_of;

impl Coach<'_, '_> {
    /// A move that loses material, with the reply that wins it.
    pub(super) fn refuted(&self, line: &ScoredLine, lost: &Harvest) -> String {
        if let Some(first) = line.moves.first()
            && captures_own(self.game.position(), *first)
            && let Some((role, square)) = first.capture().zip(captured_square(*first))
        {
            let shown = self.after_first(line, self.plies_of(Some(lost)));
            let role = role_name(role);
            return format!("takes its own {role} on {square}: {shown}");
        }
        let after = played(self.game, &line.moves[..1]);
        let Some(reply) = line.moves.get(1).copied() else {
            return format!(
                "loses material: {} {}",
                side_name(lost.winner),
                lost.in_words()
            );
        };
        let answered = played(self.game, &line.moves[..2]);
        let plies = self.plies_of(Some(lost)).clamp(2, line.moves.len());
        let rest = numbered_line(&answered, &told(&line.moves, plies)[2..]);
        let rest = if rest.is_empty() {
            rest
        } else {
            format!(": {rest}")
        };
        let name = numbered(&after, reply);
        let does = self.deed_of(line, "but", "");
        let threatened = self.threat.as_ref().and_then(Threat::first);
        let is_threat = self.says_threat()
            && threatened.is_some_and(|m| m.to() == reply.to() && m.role() == reply.role());
        let start = match (does.is_empty(), is_threat) {
            (false, _) => does,
            (true, true) => "does nothing about the threat:".to_owned(),
            (true, false) => "allows".to_owned(),
        };
        if reply.is_promotion() && rest.is_empty() {
            return format!("{start} {name}");
        }
        let what = lost.in_words();
        let how = match lost.capture {
            // The reply takes what is won.
            Some((1, role, square)) if value_of(role) + 100 >= lost.value => {
                let victim = piece_on(role, square);
                let guards = attackers(after.position().board(), square, self.us());
                let is_free = guards.is_empty() && role != Role::Pawn;
                let free = if is_free {
                    ", which nothing protects,"
                } else {
                    ""
                };
                format!("takes {victim}{free} and {what}")
            }
            _ if lost.promotes_by() == Some(1) => what,
            _ => match strongest(&deeds(after.position(), reply)) {
                Some(deed) => format!("{} and {what}", deed.in_words()),
                None => what,
            },
        };
        let which = if start == "allows" { ", which" } else { "" };
        format!("{start} {name}{which} {how}{rest}")
    }
}
