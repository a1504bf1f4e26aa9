"""A person who connects an account of Bluesky: at the scheduler's page, and at that of the PDS.

Stands for the browser and for the script of the PDS's page, which speaks with the server as this
does.
"""
import http.cookiejar
import json
import urllib.error
import urllib.parse
import urllib.request

class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def connect(link, form, password):
    """Follows the link of the scheduler, allows it at the server, and comes back."""
    cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    opener = urllib.request.build_opener(cookies, Stay())

    def visit(url, data=None):
        try:
            with opener.open(urllib.request.Request(url, data=data), timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as moved:
            if moved.code == 303:
                return moved.code, moved.headers["location"]
            return moved.code, moved.read().decode()

    visit(link)
    status, page = visit(link, urllib.parse.urlencode(form).encode())
    if status != 303:
        raise SystemExit(f"no page is opened: {status} {page}")
    status, told = visit(allow(page, form["identifier"], password))
    if status != 303:
        raise SystemExit(f"nothing is connected: {status} {told}")


BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36"


def allow(page, handle, password):
    """Where the browser is sent back to by the page at this address."""
    jar = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(page))

    def fetch(url, mode, dest, site, body=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers |= {
            "user-agent": BROWSER,
            "accept-language": "en",
            "sec-fetch-mode": mode,
            "sec-fetch-dest": dest,
            "sec-fetch-site": site,
        }
        request = urllib.request.Request(url, data=body, headers=headers)
        with opener.open(request, timeout=30) as answer:
            return answer.read()

    def call(name, body):
        csrf = next(cookie.value for cookie in jar if cookie.name == "csrf-token")
        answer = fetch(
            f"{origin}/@atproto/oauth-provider/~api/{name}", "same-origin", "empty", "same-origin",
            body=json.dumps(body).encode(), content_type="application/json", origin=origin,
            referer=page, x_csrf_token=csrf,
        )
        return json.loads(answer)

    fetch(page, "navigate", "document", "cross-site")
    signed_in = call("sign-in", {
        "locale": "en", "username": handle, "password": password, "remember": True,
    })
    sub = signed_in["account"]["sub"]
    agreed = call("consent", {"sub": sub})
    told = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(agreed["url"]).query))
    back = told.pop("redirect_uri")
    told.pop("redirect_mode")
    separator = "&" if "?" in back else "?"
    return back + separator + urllib.parse.urlencode(told)
