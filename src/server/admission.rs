//! Admission: who may have a session, who may only ask how busy the server is, who is turned away. Knows neither sockets
//! nor a clock.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::time::Instant;

use super::limits::{Bucket, Limits};

/// Connections without a session that may be talked to at once.
const DESKS: usize = 32;
/// Connections that may be there at once before their requests are read.
const GUESTS: usize = 64;
/// Most of them from one address, loopback excepted.
const GUESTS_OF_ADDRESS: usize = 8;
/// Addresses that are remembered.
const MOST_ADDRESSES: usize = 4096;
/// Bits of an IPv6 address that belong to one network, whose machines count as one.
const NETWORK: u32 = 64;

/// Entry of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A session.
    Session,
    /// The server's status, and this reason for there being no session.
    Desk(String),
    /// Nothing, for this reason.
    Closed(&'static str),
}

#[derive(Debug)]
struct Caller {
    sessions: usize,
    guests: usize,
    rate: Bucket,
}

/// Book of sessions and addresses.
#[derive(Debug)]
pub(crate) struct Admission {
    limits: Limits,
    sessions: usize,
    desks: usize,
    guests: usize,
    callers: HashMap<IpAddr, Caller>,
}

/// Address that limits count by.
fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) if !v6.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> (128 - NETWORK) << (128 - NETWORK)))
        }
        other => other,
    }
}

impl Admission {
    /// A book with nobody in it.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, sessions: 0, desks: 0, guests: 0, callers: HashMap::new() }
    }

    /// Sessions now.
    pub(crate) fn sessions(&self) -> usize {
        self.sessions
    }

    /// Says what does not add up, or passes a limit.
    #[cfg(test)]
    pub(crate) fn faults(&self) -> Option<String> {
        let counted: usize = self.callers.values().map(|caller| caller.sessions).sum();
        let crowd =
            self.callers.iter().find(|(address, c)| !address.is_loopback() && c.sessions > self.limits.per_address);
        let wrong = counted != self.sessions
            || self.sessions > self.limits.sessions
            || self.desks > DESKS
            || self.guests > GUESTS
            || crowd.is_some()
            || self.callers.len() > MOST_ADDRESSES;
        wrong.then(|| format!("{self:?}"))
    }

    /// Whether nobody is there.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.sessions == 0 && self.desks == 0 && self.guests == 0
    }

    /// Decides about a connection and notes it. Each entry but [`Entry::Closed`] is given back by [`Admission::leave`].
    pub(crate) fn enter(&mut self, address: IpAddr, now: Instant) -> Entry {
        match self.count(address, now) {
            Ok(()) => self.place(address),
            Err(reason) => Entry::Closed(reason),
        }
    }

    /// Lets a connection in whose request is to be read; [`Admission::go`] gives that back.
    ///
    /// # Errors
    /// If there are too many.
    pub(crate) fn knock(&mut self, address: IpAddr, now: Instant) -> Result<(), &'static str> {
        self.count(address, now)?;
        let Some(caller) = self.callers.get_mut(&counted(address)) else { return Err("the address was forgotten") };
        if self.guests >= GUESTS || !address.is_loopback() && caller.guests >= GUESTS_OF_ADDRESS {
            return Err("too many connections without a request");
        }
        caller.guests += 1;
        self.guests += 1;
        Ok(())
    }

    /// A connection has gone that was let in to read its request.
    pub(crate) fn go(&mut self, address: IpAddr) {
        self.guests -= 1;
        if let Some(caller) = self.callers.get_mut(&counted(address)) {
            caller.guests -= 1;
        }
    }

    /// Counts a connection of an address.
    fn count(&mut self, address: IpAddr, now: Instant) -> Result<(), &'static str> {
        let address = counted(address);
        let limits = self.limits;
        if self.callers.len() >= MOST_ADDRESSES && !self.callers.contains_key(&address) {
            self.callers.retain(|_, caller| caller.sessions + caller.guests > 0 || !caller.rate.is_full(now));
            if self.callers.len() >= MOST_ADDRESSES {
                return Err("connections from too many addresses");
            }
        }
        let fresh = || Caller {
            sessions: 0,
            guests: 0,
            rate: Bucket::new(limits.connections_per_second, limits.connection_burst, now),
        };
        let rate = &mut self.callers.entry(address).or_insert_with(fresh).rate;
        if rate.take(1.0, now) { Ok(()) } else { Err("too many connections from one address") }
    }

    /// Decides about a connection that was counted.
    pub(crate) fn place(&mut self, address: IpAddr) -> Entry {
        let address = counted(address);
        let limits = self.limits;
        let Some(caller) = self.callers.get_mut(&address) else {
            return Entry::Closed("the address was forgotten");
        };
        let reason = if self.sessions >= limits.sessions {
            format!("the server is full: {} sessions", limits.sessions)
        } else if !address.is_loopback() && caller.sessions >= limits.per_address {
            format!("this address has {} sessions, no more are allowed", limits.per_address)
        } else {
            caller.sessions += 1;
            self.sessions += 1;
            return Entry::Session;
        };
        if self.desks >= DESKS {
            return Entry::Closed("too many connections that have no session");
        }
        self.desks += 1;
        Entry::Desk(reason)
    }

    /// Gives an entry back.
    pub(crate) fn leave(&mut self, address: IpAddr, entry: &Entry) {
        match entry {
            Entry::Session => {
                self.sessions -= 1;
                if let Some(caller) = self.callers.get_mut(&counted(address)) {
                    caller.sessions -= 1;
                }
            }
            Entry::Desk(_) => self.desks -= 1,
            Entry::Closed(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const REMOTE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const LOOPBACK: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn admission(sessions: usize, per_address: usize) -> (Admission, Instant) {
        let limits =
            Limits { sessions, per_address, connections_per_second: 10, connection_burst: 100, ..Limits::default() };
        (Admission::new(limits), Instant::now())
    }

    #[test]
    fn one_address_takes_its_part_and_others_come_in() {
        let (mut admission, now) = admission(8, 2);
        assert_eq!([(); 2].map(|()| admission.enter(REMOTE, now)), [Entry::Session, Entry::Session]);
        let Entry::Desk(reason) = admission.enter(REMOTE, now) else { panic!("a third session") };
        assert!(reason.contains("this address has 2 sessions"));
        assert_eq!(admission.enter(IpAddr::from([192, 0, 2, 2]), now), Entry::Session);
        admission.leave(REMOTE, &Entry::Session);
        assert_eq!(admission.enter(REMOTE, now), Entry::Session);
        // Clients on the machine itself cannot be told apart.
        assert!((0..5).all(|_| admission.enter(LOOPBACK, now) == Entry::Session));
        assert!(matches!(admission.enter(LOOPBACK, now), Entry::Desk(reason) if reason.contains("full: 8")));
    }

    #[test]
    fn machines_of_one_network_count_as_one() {
        let (mut admission, now) = admission(8, 2);
        let at = |host: u16| IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, host]);
        assert_eq!([1, 2].map(|host| admission.enter(at(host), now)), [Entry::Session, Entry::Session]);
        assert!(matches!(admission.enter(at(3), now), Entry::Desk(_)));
        // An IPv4 address is the same however it is written.
        let mapped = IpAddr::from([0, 0, 0, 0, 0, 0xffff, 0xc000, 0x0201]);
        assert_eq!([mapped, REMOTE].map(|address| admission.enter(address, now)), [Entry::Session, Entry::Session]);
        assert!(matches!(admission.enter(REMOTE, now), Entry::Desk(_)));
    }

    #[test]
    fn a_full_server_talks_to_few_at_once() {
        let (mut admission, now) = admission(1, 1);
        assert_eq!(admission.enter(LOOPBACK, now), Entry::Session);
        let desks: Vec<Entry> = (0..=DESKS).map(|_| admission.enter(LOOPBACK, now)).collect();
        assert!(desks[..DESKS].iter().all(|entry| matches!(entry, Entry::Desk(_))));
        assert!(matches!(desks[DESKS], Entry::Closed(_)));
        admission.leave(LOOPBACK, &desks[0]);
        assert!(matches!(admission.enter(LOOPBACK, now), Entry::Desk(_)));
    }

    #[test]
    fn few_connections_wait_for_their_requests_at_once() {
        let (mut admission, now) = admission(1, 1);
        assert_eq!((0..GUESTS + 1).filter(|_| admission.knock(LOOPBACK, now).is_ok()).count(), GUESTS);
        admission.go(LOOPBACK);
        assert!(admission.knock(LOOPBACK, now).is_ok());
        // A request for a session does not count as another connection.
        assert_eq!(admission.place(LOOPBACK), Entry::Session);
        assert!(matches!(admission.place(LOOPBACK), Entry::Desk(_)));
    }

    #[test]
    fn one_address_leaves_room_for_the_requests_of_others() {
        let (mut admission, now) = admission(1, 1);
        let knocks = (0..GUESTS).filter(|_| admission.knock(REMOTE, now).is_ok()).count();
        assert_eq!(knocks, GUESTS_OF_ADDRESS);
        assert!(admission.knock(IpAddr::from([192, 0, 2, 2]), now).is_ok());
        admission.go(REMOTE);
        assert!(admission.knock(REMOTE, now).is_ok());
        assert_eq!(admission.faults(), None);
    }

    #[test]
    fn reconnecting_has_a_rate() {
        let (mut admission, now) = admission(8, 8);
        let mut connect = |now| {
            let entry = admission.enter(LOOPBACK, now);
            admission.leave(LOOPBACK, &entry);
            entry == Entry::Session
        };
        assert_eq!((0..200).filter(|_| connect(now)).count(), 100);
        let later = now + Duration::from_secs(1);
        assert_eq!((0..200).filter(|_| connect(later)).count(), 10);
    }

    #[test]
    fn addresses_are_forgotten_once_their_rate_is_full_again() {
        let (mut admission, now) = admission(1, 1);
        let address = |number: u32| IpAddr::from(number.to_be_bytes());
        assert_eq!(admission.enter(REMOTE, now), Entry::Session);
        for number in 1..MOST_ADDRESSES as u32 {
            let entry = admission.enter(address(number), now);
            admission.leave(address(number), &entry);
        }
        assert!(matches!(admission.enter(address(1 << 20), now), Entry::Closed(_)));
        assert_eq!(admission.callers.len(), MOST_ADDRESSES);
        let later = now + Duration::from_secs(1);
        assert!(matches!(admission.enter(address(1 << 20), later), Entry::Desk(_)));
        // Who has a session is remembered.
        assert_eq!(admission.callers.len(), 2);
    }
}
