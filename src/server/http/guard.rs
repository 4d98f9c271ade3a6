//! Guard of the HTTP address: a web page of somebody else must not command a server on its reader's machine.
//!
//! Browsers tell in `Origin` which page asks, and in `Host` by which name they came here. A page of another origin is told by the
//! first. A page whose own name was made to point here (DNS rebinding) is told by the second. Programs send no `Origin`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use constant_time_eq::constant_time_eq;
use hyper::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN};
use hyper::http::uri::Authority;
use hyper::{HeaderMap, Uri};

/// Fewest letters of a token that other machines can guess at.
const LEAST_TOKEN: usize = 16;
/// Port of an address that names none.
const USUAL_PORT: u16 = 80;

/// Where to listen for HTTP, and for whom.
#[derive(Clone, Debug)]
pub struct WebAddress {
    /// Address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Names, with ports as clients write them, by which it is reached besides.
    pub hosts: Vec<String>,
    /// Word that clients must know.
    pub token: Option<String>,
}

impl WebAddress {
    /// Says why a token is none, or is too easy to guess.
    pub fn fault_of(token: &str) -> Option<String> {
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if !token.bytes().all(known) {
            return Some("a token is made of letters, digits and -._~".to_owned());
        }
        (token.len() < LEAST_TOKEN).then(|| format!("a token has {LEAST_TOKEN} letters at least"))
    }
}

/// Knows who may come in.
#[derive(Debug)]
pub(crate) struct Door {
    web: WebAddress,
    /// Address that it listens on.
    address: SocketAddr,
}

/// The one value of a header; an error if there are several, or none of them is text.
fn only(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, ()> {
    let mut values = headers.get_all(name).iter();
    let first = values.next().map(|value| value.to_str().map_err(drop)).transpose()?;
    if values.next().is_some() { Err(()) } else { Ok(first) }
}

impl Door {
    /// A door at that address.
    pub(crate) fn new(web: WebAddress, address: SocketAddr) -> Self {
        Self { web, address }
    }

    /// Says why a request is not for this server, or not from one of its own pages.
    ///
    /// # Errors
    /// The reason.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        let host = only(headers, HOST).ok().flatten().ok_or("there is no Host, or more than one")?;
        if !self.is_here(host) {
            return Err("the Host is foreign");
        }
        match only(headers, ORIGIN) {
            Ok(None) => Ok(()),
            Ok(Some(origin)) if self.is_own(origin) => Ok(()),
            _ => Err("the Origin is foreign"),
        }
    }

    /// Whether a client knows the token, if there is one.
    pub(crate) fn admits(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let Some(token) = &self.web.token else { return true };
        let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer =
            bearer.and_then(|text| text.split_once(' ')).filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer"));
        let asked = uri.query().unwrap_or_default().split('&').find_map(|pair| pair.strip_prefix("token="));
        let told = bearer.map(|(_, word)| word.trim()).or(asked);
        told.is_some_and(|told| constant_time_eq(told.as_bytes(), token.as_bytes()))
    }

    /// Whether a name and port as in `Host` are this server's.
    fn is_here(&self, host: &str) -> bool {
        if self.web.hosts.iter().any(|known| known.eq_ignore_ascii_case(host)) {
            return true;
        }
        let Ok(authority) = host.parse::<Authority>() else { return false };
        let name = authority.host();
        let address = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
        let known = match address.parse::<IpAddr>() {
            Ok(ip) => self.is_reached_by(ip),
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        };
        known && !host.contains('@') && authority.port_u16().unwrap_or(USUAL_PORT) == self.address.port()
    }

    /// Whether it may be reached by that address. No name hides behind an address, so that any will do where others can come.
    fn is_reached_by(&self, ip: IpAddr) -> bool {
        let loopback = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        ip == self.address.ip() || loopback.contains(&ip) || !self.address.ip().is_loopback()
    }

    /// Whether an origin is a page of this server's.
    fn is_own(&self, origin: &str) -> bool {
        let proxied = |host: &str| self.web.hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
        origin.strip_prefix("http://").is_some_and(|host| self.is_here(host))
            || origin.strip_prefix("https://").is_some_and(proxied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door(address: &str, hosts: &[&str], token: Option<&str>) -> Door {
        let address = address.parse().unwrap();
        let hosts = hosts.iter().map(|&host| host.to_owned()).collect();
        Door::new(WebAddress { listen: address, hosts, token: token.map(str::to_owned) }, address)
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    fn passes(door: &Door, pairs: &[(&'static str, &str)]) -> bool {
        door.check(&headers(pairs)).is_ok()
    }

    #[test]
    fn a_server_on_loopback_has_the_names_of_loopback_with_its_port() {
        let door = door("127.0.0.1:8552", &[], None);
        for host in ["127.0.0.1:8552", "localhost:8552", "LocalHost:8552", "[::1]:8552"] {
            assert!(passes(&door, &[("host", host)]), "{host}");
        }
        for host in [
            "evil.example:8552",
            "localhost.evil.example:8552",
            "evil-localhost:8552",
            "localhost",
            "localhost:80",
            "localhost:8551",
            "127.0.0.1:85520",
            "127.0.0.2:8552",
            "192.168.0.1:8552",
            "0.0.0.0:8552",
            "user@localhost:8552",
            "localhost:8552/x",
            "[::1:8552",
            "",
        ] {
            assert!(!passes(&door, &[("host", host)]), "{host}");
        }
        assert!(!passes(&door, &[]));
        assert!(!passes(&door, &[("host", "localhost:8552"), ("host", "localhost:8552")]));
        assert!(passes(&self::door("127.0.0.1:80", &[], None), &[("host", "localhost")]));
    }

    #[test]
    fn a_page_of_another_origin_is_refused() {
        let door = door("127.0.0.1:8552", &[], None);
        let asks = |origin: &str| passes(&door, &[("host", "localhost:8552"), ("origin", origin)]);
        assert!(asks("http://localhost:8552") && asks("http://127.0.0.1:8552"));
        for origin in [
            "null",
            "",
            "http://evil.example",
            "http://evil.example:8552",
            "http://localhost",
            "http://localhost:3000",
            "https://localhost:8552",
            "http://localhost:8552.evil.example",
            "http://localhost:8552@evil.example",
            "file://",
            "localhost:8552",
        ] {
            assert!(!asks(origin), "{origin}");
        }
        let twice =
            [("host", "localhost:8552"), ("origin", "http://localhost:8552"), ("origin", "http://evil.example")];
        assert!(!passes(&door, &twice));
    }

    #[test]
    fn where_others_can_come_addresses_and_given_names_will_do() {
        let door = door("0.0.0.0:8552", &["board.example", "lan:8552"], None);
        for host in ["192.168.0.7:8552", "[2001:db8::1]:8552", "localhost:8552", "board.example", "LAN:8552"] {
            assert!(passes(&door, &[("host", host), ("origin", &format!("http://{host}"))]), "{host}");
        }
        assert!(passes(&door, &[("host", "board.example"), ("origin", "https://board.example")]));
        for host in ["board.example:8552", "evil.example:8552", "lan", "192.168.0.7:8553"] {
            assert!(!passes(&door, &[("host", host)]), "{host}");
        }
        assert!(!passes(&door, &[("host", "board.example"), ("origin", "https://192.168.0.7:8552")]));
    }

    #[test]
    fn a_token_is_asked_for() {
        let token = "0123456789abcdef";
        let door = door("127.0.0.1:8552", &[], Some(token));
        let asks = |uri: &str, pairs: &[(&'static str, &str)]| door.admits(&uri.parse().unwrap(), &headers(pairs));
        assert!(asks("/gtp?token=0123456789abcdef", &[]) && asks("/gtp?a=b&token=0123456789abcdef", &[]));
        assert!(asks("/gtp", &[("authorization", "Bearer 0123456789abcdef")]));
        assert!(asks("/gtp", &[("authorization", "bearer  0123456789abcdef")]));
        for uri in [
            "/gtp",
            "/gtp?token=",
            "/gtp?token=0123456789abcdeF",
            "/gtp?token=0123456789abcdef0",
            "/gtp?xtoken=0123456789abcdef",
        ] {
            assert!(!asks(uri, &[]), "{uri}");
        }
        assert!(!asks("/gtp?token=0123456789abcdef", &[("authorization", "Bearer wrong")]));
        assert!(!asks("/gtp", &[("authorization", "Basic 0123456789abcdef")]));
        assert!(self::door("127.0.0.1:8552", &[], None).admits(&"/gtp".parse().unwrap(), &HeaderMap::new()));
        assert_eq!(WebAddress::fault_of(token), None);
        assert!(WebAddress::fault_of("short").is_some() && WebAddress::fault_of("0123456789 abcdef").is_some());
    }
}
