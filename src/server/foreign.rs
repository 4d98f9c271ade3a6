//! Other protocols than GTP, told by how they begin. A web page can make a browser send a request to any port of its own
//! machine, whose body would be executed as commands; so whoever begins like a browser is let go before that.

/// First byte of a TLS connection: a handshake record.
const TLS: u8 = 0x16;

/// Methods of HTTP, with which its first line begins.
const METHODS: [&[u8]; 10] =
    [b"GET", b"POST", b"PUT", b"HEAD", b"OPTIONS", b"DELETE", b"PATCH", b"CONNECT", b"TRACE", b"PRI"];

/// Names that stand before a colon in the head of a request.
const HEADERS: [&[u8]; 12] = [
    b"host",
    b"connection",
    b"user-agent",
    b"accept",
    b"accept-encoding",
    b"accept-language",
    b"content-type",
    b"content-length",
    b"origin",
    b"referer",
    b"cookie",
    b"upgrade",
];

/// Protocol whose connections begin with that byte, if it is another one.
pub(crate) fn by_first_byte(byte: u8) -> Option<&'static str> {
    (byte == TLS).then_some("TLS")
}

/// Protocol that the line belongs to, if it is another one. No command has a name of HTTP's.
pub(crate) fn by_line(line: &[u8]) -> Option<&'static str> {
    let line = line.trim_ascii();
    let word = line.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    let last = line.rsplit(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    let method = METHODS.iter().any(|method| word.eq_ignore_ascii_case(method));
    let version = last.len() < line.len() && last.len() > 5 && last[..5].eq_ignore_ascii_case(b"HTTP/");
    let name = line.split(|&byte| byte == b':').next().unwrap_or_default();
    let header = name.len() < line.len() && HEADERS.iter().any(|header| name.eq_ignore_ascii_case(header));
    (method || version || header).then_some("HTTP")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_told_from_commands() {
        for line in [
            "POST / HTTP/1.1\r",
            "GET /x HTTP/1.0",
            "PUT",
            "head / HTTP/1.1",
            "OPTIONS * HTTP/1.1",
            "DELETE /a",
            "PATCH /a",
            "CONNECT a:443 HTTP/1.1",
            "PRI * HTTP/2.0\r",
            " \tPOST /",
            "FROBNICATE / http/1.1",
            "Host: 127.0.0.1:8551\r",
            "content-type:text/plain",
            "Origin: http://evil.example",
        ] {
            assert_eq!(by_line(line.as_bytes()), Some("HTTP"), "{line}");
        }
        for line in [
            "",
            "name",
            "12 genmove b",
            "play b D4",
            "posting",
            "HTTP/1.1",
            "losange-get uct_constant",
            "gogui-title a host: of stones",
            "kata-set-rules {\"ko\":\"SIMPLE\"}",
            "# GET is no command",
        ] {
            assert_eq!(by_line(line.as_bytes()), None, "{line}");
        }
        assert_eq!((by_first_byte(0x16), by_first_byte(b'n')), (Some("TLS"), None));
    }
}
