//! What is carried of a result that was not checked in.

use std::time::Instant;

use super::fitting::Fitting;
use super::{Carried, Results, Way, reason};
use crate::errors::CheckInError;
use crate::events::Event;
use crate::store::Scope;

impl Results {
    /// `error` is why the result was not checked in; none on a road without a claim check.
    pub(super) async fn cut(
        &self,
        scope: &Scope,
        fitting: Fitting,
        error: Option<&CheckInError>,
        started: Instant,
    ) -> Carried {
        let not_stored = error.map(|error| reason(error));
        let (caller, neutralise) = match &self.way {
            Way::CheckIn(claims) => (claims.caller(), claims.settings().neutralise),
            Way::Cut(caller) => (caller, true),
        };
        let (scope, (tool, content)) = (scope.clone(), fitting.into_parts());
        let chars = content.chars().count();
        let clean = if neutralise { caller.neutralise(&content).await } else { Ok(None) };
        let (neutralised, cut) = match clean {
            Ok(clean) => {
                let (neutralised, clean) = (clean.is_some(), clean.unwrap_or(content));
                let cut = caller.truncate(&clean, self.cut_chars).await;
                (neutralised, cut.map(|cut| cut.ok_or(clean)))
            }
            Err(failed) => (false, Err(failed)),
        };
        let duration = started.elapsed();
        let carried = match cut {
            Ok(Err(whole)) => {
                self.tell(&Event::ToolResultCarried { scope, tool, chars, neutralised, not_stored, duration });
                return Carried::new(whole);
            }
            Ok(Ok(cut)) => cut,
            // What a text becomes of which nothing fits. Nothing less safe is left once the component can't be asked.
            Err(_) => format!("[{chars} characters, cut after 0. The rest was not kept.]"),
        };
        let carried = Carried::new(carried);
        let (carried_chars, why) = (carried.chars(), not_stored.unwrap_or_else(|| "there is no claim check".into()));
        self.tell(&Event::ToolResultCut { scope, tool, chars, carried_chars, why, duration });
        carried
    }
}
