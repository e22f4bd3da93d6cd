//! Who may ask: a page of ours in a browser of this user, and nobody else.
//!
//! Another page in the same browser can send requests to this machine, and a name that it controls
//! can be made to lead here (DNS rebinding). So every request must name this very address as its
//! host and come from a page of ours, and each command must show a token that only our page knows.
//! It travels in a header, never in a cookie, since cookies of 127.0.0.1 go to every port. See
//! Jupyter's and Go's `CrossOriginProtection` for the same rules.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::header::{HOST, HeaderMap, ORIGIN};
use axum::http::{StatusCode, Uri};

/// The header with the token.
const TOKEN_HEADER: &str = "x-squarewise-token";

/// How long the code in the address that the browser was given can be exchanged for the token.
const CODE_LIFETIME: Duration = Duration::from_secs(60);

/// Why a request is refused.
pub(crate) type Refusal = (StatusCode, &'static str);

/// The rules for one run of the program.
pub(crate) struct Guard {
    /// The two names of this address: by number, and as localhost.
    hosts: [String; 2],
    token: String,
    /// The code that can be exchanged for the token once, and until when.
    code: Mutex<Option<(String, Instant)>>,
}

impl Guard {
    /// The rules for a server on this port, with new secrets.
    ///
    /// # Errors
    ///
    /// If the operating system has no random numbers.
    pub(crate) fn new(port: u16) -> std::io::Result<Guard> {
        // Browsers leave out the port that is usual.
        let port = match port {
            80 => String::new(),
            port => format!(":{port}"),
        };
        Ok(Guard {
            hosts: [format!("127.0.0.1{port}"), format!("localhost{port}")],
            token: secret()?,
            code: Mutex::new(Some((secret()?, Instant::now() + CODE_LIFETIME))),
        })
    }

    /// The address for a person to open. The token stands behind `#`, which no browser sends.
    pub(crate) fn address(&self) -> String {
        format!("http://{}/#t={}", self.hosts[0], self.token)
    }

    /// The address for the command line of a browser, which other users of the machine can see: the
    /// code in it works once, and only for a minute from now.
    pub(crate) fn address_for_browser(&self) -> String {
        let mut code = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        let code = code.as_mut().map_or("", |(code, until)| {
            *until = Instant::now() + CODE_LIFETIME;
            code
        });
        format!("http://{}/#c={code}", self.hosts[0])
    }

    /// Checks where a request goes and where it comes from; each must pass.
    pub(crate) fn check_origin(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        if uri.scheme().is_some() || uri.authority().is_some() {
            return Err((StatusCode::BAD_REQUEST, "a proxy's request"));
        }
        let mut hosts = headers.get_all(HOST).iter();
        let is_ours = |host: &[u8]| self.hosts.iter().any(|own| own.as_bytes() == host);
        match (hosts.next(), hosts.next()) {
            (Some(host), None) if is_ours(host.as_bytes()) => {}
            (Some(_), None) => return Err((StatusCode::FORBIDDEN, "another host")),
            _ => return Err((StatusCode::BAD_REQUEST, "exactly one host is needed")),
        }
        let is_own_page = |site: &[u8]| matches!(site, b"same-origin" | b"none");
        if let Some(site) = headers.get("sec-fetch-site")
            && !is_own_page(site.as_bytes())
        {
            return Err((StatusCode::FORBIDDEN, "from another page"));
        }
        let origins = self.hosts.each_ref().map(|host| format!("http://{host}"));
        for origin in headers.get_all(ORIGIN) {
            if !origins
                .iter()
                .any(|own| own.as_bytes() == origin.as_bytes())
            {
                return Err((StatusCode::FORBIDDEN, "from another page"));
            }
        }
        Ok(())
    }

    /// Checks that a request shows the token.
    pub(crate) fn check_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let mut shown = headers.get_all(TOKEN_HEADER).iter();
        match (shown.next(), shown.next()) {
            (Some(token), None) if is_same(token.as_bytes(), self.token.as_bytes()) => Ok(()),
            _ => Err((
                StatusCode::FORBIDDEN,
                "open the address that the program printed; it prints a new one at each start",
            )),
        }
    }

    /// Exchanges the code for the token. A wrong code uses it up too.
    pub(crate) fn exchange(&self, shown: &str) -> Option<&str> {
        let mut code = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        let (code, until) = code.take()?;
        (is_same(shown.as_bytes(), code.as_bytes()) && Instant::now() <= until)
            .then_some(&self.token)
    }
}

/// Whether two secrets are the same. It takes as long wherever they differ.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).map(|(one, other)| one ^ other);
    one.len() == other.len() && differences.fold(0, |sum, difference| sum | difference) == 0
}

/// 128 random bits in hexadecimal digits.
fn secret() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    let mut text = String::new();
    for byte in bytes {
        let written = write!(text, "{byte:02x}");
        debug_assert!(written.is_ok(), "a string takes everything");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = axum::http::HeaderName::from_static(name);
            (name, value.parse().expect("a value of a header"))
        });
        let mut map = HeaderMap::new();
        for (name, value) in pairs {
            map.append(name, value);
        }
        map
    }

    fn is_allowed(pairs: &[(&'static str, &str)]) -> bool {
        let guard = Guard::new(9640).expect("random numbers");
        let uri = Uri::from_static("/");
        guard.check_origin(&uri, &headers(pairs)).is_ok()
    }

    #[test]
    fn only_this_very_address_is_a_host() {
        for host in ["127.0.0.1:9640", "localhost:9640"] {
            assert!(is_allowed(&[("host", host)]), "{host}");
        }
        for host in [
            "evil.com",
            "evil.com:9640",
            "127.0.0.1.evil.com:9640",
            "127.0.0.1",
            "127.0.0.1:9641",
            "0.0.0.0:9640",
            "LOCALHOST:9640",
            "[::1]:9640",
            "",
        ] {
            assert!(!is_allowed(&[("host", host)]), "{host}");
        }
        assert!(!is_allowed(&[]));
        let twice = ("host", "127.0.0.1:9640");
        assert!(!is_allowed(&[twice, twice]));
    }

    #[test]
    fn only_pages_of_this_address_may_ask() {
        let host = ("host", "127.0.0.1:9640");
        for good in [
            ("sec-fetch-site", "same-origin"),
            ("sec-fetch-site", "none"),
            ("origin", "http://127.0.0.1:9640"),
            ("origin", "http://localhost:9640"),
        ] {
            assert!(is_allowed(&[host, good]), "{good:?}");
        }
        for bad in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("sec-fetch-site", "unheard-of"),
            ("origin", "null"),
            ("origin", "https://127.0.0.1:9640"),
            ("origin", "http://127.0.0.1:9641"),
            ("origin", "http://evil.com"),
        ] {
            assert!(!is_allowed(&[host, bad]), "{bad:?}");
        }
    }

    #[test]
    fn the_token_is_shown_once_and_whole() {
        let guard = Guard::new(9640).expect("random numbers");
        let token = guard.token.as_str();
        let check = |pairs: &[(&'static str, &str)]| guard.check_token(&headers(pairs)).is_ok();
        assert!(check(&[(TOKEN_HEADER, token)]));
        assert!(!check(&[]));
        assert!(!check(&[("cookie", token)]));
        assert!(!check(&[(TOKEN_HEADER, &token[1..])]));
        assert!(!check(&[(TOKEN_HEADER, ""),]));
        assert!(!check(&[(TOKEN_HEADER, token), (TOKEN_HEADER, token)]));
        assert_eq!(token.len(), 32);
        assert_ne!(Guard::new(9640).expect("random numbers").token, token);
    }

    #[test]
    fn the_code_works_once_and_not_after_its_time() {
        let guard = Guard::new(9640).expect("random numbers");
        let address = guard.address_for_browser();
        let (_, code) = address.split_once("#c=").expect("a code");
        assert!(!address.contains(&guard.token));
        assert_eq!(guard.exchange(code), Some(guard.token.as_str()));
        assert_eq!(guard.exchange(code), None);

        let guard = Guard::new(9640).expect("random numbers");
        assert_eq!(guard.exchange("a guess"), None);
        let address = guard.address_for_browser();
        let (_, code) = address.split_once("#c=").expect("a code");
        assert_eq!(guard.exchange(code), None, "a guess uses it up");

        let guard = Guard::new(9640).expect("random numbers");
        let code = secret().expect("random numbers");
        let past = Instant::now()
            .checked_sub(Duration::from_secs(1))
            .expect("a second ago");
        *guard.code.lock().expect("nobody panicked") = Some((code.clone(), past));
        assert_eq!(guard.exchange(&code), None);
    }
}
