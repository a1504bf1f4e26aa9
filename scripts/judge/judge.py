"""Judges requests to YouTube, Pinterest and X by what their descriptions say.

    judge.py REQUESTS NETWORK

YouTube: Google's discovery document, which its own client brings. Pinterest and X: the clients that
are generated from their OpenAPI documents (pinterestsdk; xdk, which is X's own), whose methods and
models say what the document says. Prints each violation once, then `NETWORK judged violations`.
"""

import ast
import inspect
import json
import pathlib
import re
import sys
import typing


class Judge:
    """What was found."""

    def __init__(self):
        self.judged = 0
        self.wrong = {}

    def say(self, request, what):
        path = re.sub(r"[0-9]{6,}|[0-9a-f]{24,}", "{}", request["path"])
        self.wrong.setdefault(f"{request['method']} {path}: {what}", request)


def template(pattern):
    """A pattern of paths for one with places in braces."""
    return re.compile("^" + re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(pattern)) + "/?$")


# YouTube


def check_schema(schemas, schema, value, at, say):
    """Holds a value against a schema of a discovery document."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"]]
    kind = schema.get("type")
    if kind == "object":
        if not isinstance(value, dict):
            return say(f"{at} is no object")
        for name, inner in value.items():
            known = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
            if known is None:
                say(f"{at}.{name} is not described")
            else:
                check_schema(schemas, known, inner, f"{at}.{name}", say)
    elif kind == "array":
        if not isinstance(value, list):
            return say(f"{at} is no list")
        for inner in value:
            check_schema(schemas, schema["items"], inner, f"{at}[]", say)
    else:
        wanted = {"string": str, "boolean": bool, "integer": int, "number": (int, float), "any": object}[kind]
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool and kind != "any"):
            say(f"{at} is no {kind}")
        elif "enum" in schema and value not in schema["enum"]:
            say(f"{at} is {value!r}, not one of {', '.join(schema['enum'])}")
    return None


def methods_of(description):
    """Every method of a discovery document, at any depth."""
    found = list(description.get("methods", {}).values())
    for resource in description.get("resources", {}).values():
        found += methods_of(resource)
    return found


def youtube(requests, judge):
    from googleapiclient import discovery_cache

    described = {}
    for name, version, hosts in (("youtube", "v3", ""), ("youtubeAnalytics", "v2", "")):
        description = json.loads(discovery_cache.get_static_doc(name, version))
        for method in methods_of(description):
            path = "/" + description["servicePath"] + method["path"]
            described.setdefault((method["httpMethod"], path), (description, method, False))
            upload = method.get("mediaUpload", {}).get("protocols", {}).get("simple", {}).get("path")
            if upload:
                described[method["httpMethod"], upload] = (description, method, True)
    for request in requests:
        query = request["query"]
        # The token is renewed at Google's OAuth, and a session has an address of its own.
        if request["path"] == "/token" or any(name == "upload_id" for name, _ in query):
            continue
        judge.judged += 1
        found = next((value for (verb, path), value in described.items() if verb == request["method"] and template(path).match(request["path"])), None)
        if not found:
            judge.say(request, "is not described")
            continue
        description, method, is_upload = found
        known = description["parameters"] | method.get("parameters", {})
        given = {name for name, _ in query}
        for name, value in query:
            if is_upload and name == "uploadType":
                continue
            if name not in known:
                judge.say(request, f"parameter {name} is not described")
            elif "enum" in known[name] and any(one not in known[name]["enum"] for one in value.split(",")):
                judge.say(request, f"parameter {name} is {value!r}")
        for name, parameter in known.items():
            if parameter.get("required") and parameter["location"] == "query" and name not in given:
                judge.say(request, f"parameter {name} is missing")
        if "json" in request:
            if "request" not in method:
                judge.say(request, "takes no body")
            else:
                schema = description["schemas"][method["request"]["$ref"]]
                check_schema(description["schemas"], schema, request["json"], "body", lambda what: judge.say(request, what))


# Pinterest and X: models of Pydantic


def models_in(annotation):
    """The models that an annotation names, at any depth."""
    if inspect.isclass(annotation) and hasattr(annotation, "model_fields"):
        return [annotation]
    return [model for inner in typing.get_args(annotation) for model in models_in(inner)]


def check_unknown(model, value, at, say):
    """Says which members of a value no model of that place has. Models with variants have one each."""
    if not isinstance(value, dict):
        return
    fields = {(field.alias or name): field.annotation for name, field in model.model_fields.items()}
    if "actual_instance" in fields:
        variants = [inner for name, field in model.model_fields.items() if name.startswith("oneof_schema") for inner in models_in(field.annotation)]
        found = []
        for variant in variants:
            said = []
            check_model(variant, value, at, said.append)
            found.append(said)
        best = min(found, key=len, default=[])
        for what in best:
            say(what)
        return
    for name, inner in value.items():
        if name not in fields:
            say(f"{at}.{name} is not described")
            continue
        inner_models = models_in(fields[name])
        for one in inner if isinstance(inner, list) else [inner]:
            if inner_models and isinstance(one, dict):
                said = []
                for variant in inner_models:
                    words = []
                    check_unknown(variant, one, f"{at}.{name}", words.append)
                    said.append(words)
                for what in min(said, key=len):
                    say(what)


def check_model(model, value, at, say):
    """Holds a value against a model."""
    try:
        made = model.from_dict(value) if hasattr(model, "from_dict") else model.model_validate(value)
        del made
    except ValueError as error:
        say(f"{at}: {' '.join(str(error).split())[:200]}")
    check_unknown(model, value, at, say)


def pinterest(requests, judge):
    import pinterestsdk
    import pinterestsdk.api as api

    described = []
    for _, kind in inspect.getmembers(api, inspect.isclass):
        for name, function in inspect.getmembers(kind, inspect.isfunction):
            if not name.endswith("_serialize"):
                continue
            source = inspect.getsource(function)
            verb = re.search(r"method='(\w+)'", source)[1]
            path = re.search(r"resource_path='([^']+)'", source)[1]
            hints = inspect.get_annotations(getattr(kind, name[1:].removesuffix("_serialize")))
            bodies = [model for hint in hints.values() for model in models_in(hint)]
            query = set(re.findall(r"_query_params\.append\(\('(\w+)'", source))
            form = set(re.findall(r"_form_params\.append\(\('(\w+)'", source))
            described.append((verb, template("/v5" + path), query, form, bodies))
    assert pinterestsdk.__version__
    for request in requests:
        if request["path"].startswith("/media-upload"):
            continue  # an address of the storage, which the description does not have
        judge.judged += 1
        found = next((one for one in described if one[0] == request["method"] and one[1].match(request["path"])), None)
        if not found:
            judge.say(request, "is not described")
            continue
        for name, _ in request["query"]:
            if name not in found[2]:
                judge.say(request, f"parameter {name} is not described")
        for name, _ in request.get("form", []):
            # The document describes the grants as variants of one form; its client knows their common part.
            if name not in found[3] | {"code", "redirect_uri", "refresh_token", "scope", "continuous_refresh"}:
                judge.say(request, f"field {name} is not described")
        if "json" in request:
            if not found[4]:
                judge.say(request, "takes no body")
                continue
            check_model(found[4][0], request["json"], "body", lambda what: judge.say(request, what))


def twitter(requests, judge):
    import xdk
    from xdk import schemas

    described = []
    for file in pathlib.Path(xdk.__file__).parent.glob("*/client.py"):
        text = file.read_text()
        for function in [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]:
            source = ast.get_source_segment(text, function)
            path = re.search(r"""url = self\.client\.base_url \+ "([^"]+)\"""", source)
            verb = re.search(r"self\.client\.(?:\w+\.)?(get|post|put|delete)\(", source)
            if not path or not verb:
                continue
            allowed = {}
            for argument in function.args.args:
                if argument.annotation is not None:
                    words = [node.value for node in ast.walk(argument.annotation) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
                    allowed[argument.arg] = words if "Literal" in ast.unparse(argument.annotation) else None
            body = next((ast.unparse(argument.annotation) for argument in function.args.args if argument.arg == "body"), None)
            model = re.search(r"(\w+)Request", body or "")
            query = {name: allowed.get(name.replace(".", "_")) for name in re.findall(r"""params\["([\w.]+)"\]""", source)}
            described.append((verb[1].upper(), template(path[1]), query, body, file.parent.name, bool(model)))
    for request in requests:
        if request["path"] == "/2/oauth2/token":
            continue  # OAuth, which the description names but does not describe
        judge.judged += 1
        found = next((one for one in described if one[0] == request["method"] and one[1].match(request["path"])), None)
        if not found:
            judge.say(request, "is not described")
            continue
        for name, value in request["query"]:
            if name not in found[2]:
                judge.say(request, f"parameter {name} is not described")
            elif found[2][name]:
                for one in set(value.split(",")) - set(found[2][name]):
                    judge.say(request, f"parameter {name} has {one!r}")
        if "json" in request:
            module = __import__(f"xdk.{found[4]}.models", fromlist=["models"])
            model = getattr(module, (found[3] or "").strip("'\""), None) or getattr(schemas, "CreatePostsRequest")
            check_model(model, request["json"], "body", lambda what: judge.say(request, what))


def main():
    requests, network = sys.argv[1:]
    judge = Judge()
    mine = [request for request in json.loads(pathlib.Path(requests).read_text()) if request["network"] == network]
    {"youtube": youtube, "pinterest": pinterest, "twitter": twitter}[network](mine, judge)
    for what in sorted(judge.wrong):
        print(f"  {network} {what}")
    print(f"{network} {judge.judged} {len(judge.wrong)}")


if __name__ == "__main__":
    main()
