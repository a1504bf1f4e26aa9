"""A person at the page of Bluesky's own PDS: signs in there, allows it, and is sent back.

Stands for the browser and for the page's script, which speaks with the server as this does.
"""
import http.cookiejar
import json
import urllib.parse
import urllib.request

BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36"


def allow(page, handle, password):
    """Where the browser is sent back to by the page at this address."""
    jar = http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(secure_protocols=("http", "https")))
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
