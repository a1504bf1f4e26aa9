//! How long until the next look.

use std::time::Duration;

/// Pauses between looks at a server, or tries to reach it: each is half as long again as the one
/// before, from a tenth of a second up to two.
#[derive(Clone, Debug)]
pub struct Pauses(Duration);

impl Pauses {
    /// The shortest, which comes first.
    pub const SHORTEST: Duration = Duration::from_millis(100);
    const LONGEST: Duration = Duration::from_secs(2);

    /// The first pause is the next.
    #[must_use]
    pub const fn new() -> Self {
        Self(Self::SHORTEST)
    }

    /// How long to wait this time.
    pub fn take(&mut self) -> Duration {
        let longer = (self.0 * 3 / 2).min(Self::LONGEST);
        std::mem::replace(&mut self.0, longer)
    }

    /// Waits this time.
    pub async fn wait(&mut self) {
        tokio::time::sleep(self.take()).await;
    }
}

impl Default for Pauses {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_the_longest() {
        let mut pauses = Pauses::new();
        let first = [100, 150, 225].map(Duration::from_millis);
        assert_eq!([pauses.take(), pauses.take(), pauses.take()], first);
        for _ in 0..20 {
            pauses.take();
        }
        assert_eq!(pauses.take(), Duration::from_secs(2));
    }
}
