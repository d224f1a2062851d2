//! Who is let in: requests for this address, from its own pages, with the token where one is needed.

use std::net::{IpAddr, SocketAddr};

use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri};

use crate::serve::{NoRandomness, SecretKey, ServeRefusal};

/// Pages may load what the server has, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// The cookie that holds the token.
const TOKEN_COOKIE: &str = "kolibri-token";

/// Who is let in.
#[derive(Debug)]
pub(super) struct Guard {
    address: SocketAddr,
    /// What callers must know, if other machines can reach the server.
    token: Option<SecretKey>,
}

/// A request that is let in.
pub(super) struct AdmittedRequest {
    /// The cookie that it gets.
    cookie: Option<HeaderValue>,
    /// Where a page is, without its token.
    page: Option<HeaderValue>,
}

impl Guard {
    pub(super) fn new(address: SocketAddr) -> Result<Self, NoRandomness> {
        let token = match address.ip().is_loopback() {
            true => None,
            false => Some(SecretKey::random()?),
        };
        Ok(Self { address, token })
    }

    pub(super) fn token(&self) -> Option<&str> {
        self.token.as_ref().map(SecretKey::as_str)
    }

    /// Whether a request is let in.
    pub(super) fn admit<B>(&self, request: &Request<B>) -> Result<AdmittedRequest, ServeRefusal> {
        let host = self.check_host(request.headers())?;
        check_origin(request.headers(), host)?;
        let nothing = AdmittedRequest {
            cookie: None,
            page: None,
        };
        let Some(token) = &self.token else {
            return Ok(nothing);
        };
        if cookies(request.headers()).any(|value| token.is(value)) {
            return Ok(nothing);
        }
        let (given, rest) = token_and_rest(request.uri());
        if !given.is_some_and(|given| token.is(&given)) {
            return Err(ServeRefusal::forbidden("the token is missing or wrong")
                .help("open the address that `kolibri serve` printed"));
        }
        let cookie = format!(
            "{TOKEN_COOKIE}={}; Path=/; HttpOnly; SameSite=Strict",
            token.as_str()
        );
        let is_page = request.method() == Method::GET && !request.uri().path().starts_with("/api/");
        let page = is_page.then(|| HeaderValue::from_str(&rest).ok()).flatten();
        Ok(AdmittedRequest {
            cookie: HeaderValue::from_str(&cookie).ok(),
            page,
        })
    }

    /// The host that a request names, if it is this one: another name may have been made to lead here.
    fn check_host<'h>(&self, headers: &'h HeaderMap) -> Result<&'h str, ServeRefusal> {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        let known = host.filter(|host| self.is_own(host));
        known.ok_or_else(|| {
            ServeRefusal::forbidden("the request is for another host")
                .help(format!("this one is http://{}", self.address))
        })
    }

    fn is_own(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let bare = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'));
        let ip: Option<IpAddr> = bare.unwrap_or(name).parse().ok();
        let own = self.address.ip();
        let is_name = match ip {
            // No page of another site can have an address for its name.
            Some(ip) => ip == own || own.is_unspecified() || ip.is_loopback() && own.is_loopback(),
            None => {
                name.eq_ignore_ascii_case("localhost")
                    && (own.is_loopback() || own.is_unspecified())
            }
        };
        is_name && port == Some(self.address.port())
    }
}

/// A request that another site sends is refused.
fn check_origin(headers: &HeaderMap, host: &str) -> Result<(), ServeRefusal> {
    let is_own = match headers.get(ORIGIN).map(HeaderValue::to_str) {
        None => true,
        Some(Ok(origin)) => origin.strip_prefix("http://") == Some(host),
        Some(Err(_)) => false,
    };
    match is_own {
        true => Ok(()),
        false => Err(ServeRefusal::forbidden(
            "the request comes from another site",
        )),
    }
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let all = headers.get_all(COOKIE).iter();
    let pairs = all.filter_map(|cookie| cookie.to_str().ok());
    let pairs = pairs.flat_map(|cookies| cookies.split(';'));
    pairs.filter_map(|pair| pair.trim().strip_prefix(TOKEN_COOKIE)?.strip_prefix('='))
}

/// The token of an address, and the address without it.
fn token_and_rest(uri: &Uri) -> (Option<String>, String) {
    let query = uri.query().unwrap_or_default();
    let (tokens, rest): (Vec<&str>, Vec<&str>) = query
        .split('&')
        .partition(|pair| pair.starts_with("token="));
    let token = tokens.first().and_then(|pair| pair.strip_prefix("token="));
    let rest = match rest.join("&") {
        rest if rest.is_empty() => uri.path().to_owned(),
        rest => format!("{}?{rest}", uri.path()),
    };
    // Two slashes would begin the name of another host.
    let rest = format!("/{}", rest.trim_start_matches('/'));
    (token.map(str::to_owned), rest)
}

impl AdmittedRequest {
    /// The way to the page itself, for a caller that has shown the token.
    pub(super) fn redirect(&self) -> Option<Response<Body>> {
        let page = self.page.clone()?;
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SEE_OTHER;
        response.headers_mut().insert(LOCATION, page);
        self.set_cookie(&mut response);
        Some(response)
    }

    pub(super) fn set_cookie(&self, response: &mut Response<Body>) {
        if let Some(cookie) = &self.cookie {
            response.headers_mut().insert(SET_COOKIE, cookie.clone());
        }
    }
}

/// What every answer says of itself.
pub(super) fn protect(headers: &mut HeaderMap) {
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(
        "cross-origin-resource-policy",
        HeaderValue::from_static("same-origin"),
    );
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(headers: &[(&'static str, &str)], uri: &str) -> Request<()> {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap()
    }

    fn admits(guard: &Guard, host: &str, origin: Option<&str>) -> bool {
        let origin = origin.map(|origin| ("origin", origin));
        let headers: Vec<_> = [("host", host)].into_iter().chain(origin).collect();
        guard.admit(&request(&headers, "/")).is_ok()
    }

    #[test]
    fn requests_for_other_hosts_and_from_other_sites_are_refused() {
        let guard = Guard::new("127.0.0.1:8080".parse().unwrap()).unwrap();
        for host in [
            "127.0.0.1:8080",
            "localhost:8080",
            "LocalHost:8080",
            "[::1]:8080",
        ] {
            assert!(admits(&guard, host, None), "{host}");
            assert!(
                admits(&guard, host, Some(&format!("http://{host}"))),
                "{host}"
            );
        }
        for host in [
            "127.0.0.1",
            "127.0.0.1:80",
            "evil.example:8080",
            "localhost.evil.example:8080",
            "192.168.0.7:8080",
            "0.0.0.0:8080",
            "",
            ":8080",
        ] {
            assert!(!admits(&guard, host, None), "{host}");
        }
        for origin in [
            "null",
            "http://evil.example",
            "https://127.0.0.1:8080",
            "http://127.0.0.1:8081",
            "http://localhost:8080",
        ] {
            assert!(!admits(&guard, "127.0.0.1:8080", Some(origin)), "{origin}");
        }
        assert!(guard.admit(&request(&[], "/")).is_err());
    }

    #[test]
    fn from_other_machines_the_token_is_needed() {
        let guard = Guard::new("0.0.0.0:8080".parse().unwrap()).unwrap();
        let token = guard.token().unwrap().to_owned();
        let host = ("host", "192.168.0.7:8080");
        let admit =
            |headers: &[(&'static str, &str)], uri: &str| guard.admit(&request(headers, uri));
        assert!(admit(&[host], "/").is_err());
        assert!(admit(&[host], "/?token=00000000000000000000000000000000").is_err());
        assert!(
            admit(
                &[("host", "evil.example:8080")],
                &format!("/?token={token}")
            )
            .is_err()
        );
        let entry = admit(&[host], &format!("//evil.example/?a=b&token={token}")).unwrap();
        let redirect = entry.redirect().unwrap();
        assert_eq!(redirect.headers()[LOCATION], "/evil.example/?a=b");
        let cookie = redirect.headers()[SET_COOKIE].to_str().unwrap();
        assert!(cookie.contains("HttpOnly; SameSite=Strict"), "{cookie}");
        let cookie = format!("other=1; {TOKEN_COOKIE}={token}");
        let entry = admit(&[host, ("cookie", &cookie)], "/").unwrap();
        assert!(entry.redirect().is_none());
        let entry = admit(&[host], &format!("/api/v1/games?token={token}")).unwrap();
        assert!(entry.redirect().is_none() && entry.cookie.is_some());
    }
}
