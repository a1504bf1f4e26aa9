"""Makes a webhook for each receiver, has it tested many times, and counts what came out."""

import collections
import concurrent.futures
import json
import sys
import urllib.request

listening, key, deliveries, *receivers = sys.argv[1:]
api = json.loads(listening)["listening"] + "/v1"


def call(path, body=None):
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(api + path, data=data, headers=headers, method="POST")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


failed = False
for receiver in receivers:
    name, url = receiver.split("=", 1)
    webhook = call("/workspace/webhooks", {"url": url})
    secret = urllib.request.Request(url, data=webhook["secret"].encode(), method="PUT")
    urllib.request.urlopen(secret, timeout=10)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        path = f"/workspace/webhooks/{webhook['id']}/test"
        tests = list(pool.map(lambda _: call(path), range(int(deliveries))))
    accepted = sum(test["status"] == 204 for test in tests)
    print(f"{name}: {accepted} of {len(tests)} deliveries accepted, and every change refused")
    others = collections.Counter(
        f"{test['status']}: {test['answer']}" for test in tests if test["status"] != 204
    )
    for words, times in others.most_common(5):
        print(f"  {times} times {words}")
    failed |= bool(others)
sys.exit(1 if failed else 0)
