"""Runs a Before Insert script under the rules of Frappe's Server Scripts, with a new ticket as Helpdesk has it there.

Reads {"script", "values", "answer", "teams", "customers"} as JSON from standard input: the script's text, what the creator
filled in, how the other side answers, and which teams and customers there are. Writes {"sent", "fields", "logged", "response"}: what the script sent,
set, put into the Error Log and answered. Fails where it lets another exception through, as the insert would.
"""

import datetime
import json
import sys
import types
import uuid

from RestrictedPython import Guards, compile_restricted, safe_globals


class ConnectionError(Exception):
    """Nobody answers at the address."""


class HTTPError(Exception):
    """An answer with an error status. It quotes the address, and carries request and answer."""

    def __init__(self, status, url, headers):
        super().__init__(f"{status} Server Error: Failed for url: {url} (sent {headers})")
        self.response = Response(status)


class Response:
    def __init__(self, status):
        self.status_code = status

    def __bool__(self):
        return self.status_code < 400


class Ticket:
    """A document: what is missing is None, and its own values have the types that Python code gave them."""

    def __init__(self, values):
        now = datetime.datetime.now()
        self.values = {
            "doctype": "HD Ticket",
            "name": None,
            "key": uuid.uuid4(),
            "owner": "vy@shop.example",
            "creation": now,
            "modified": now,
            "opening_date": now.date(),
            "docstatus": 0,
            "idx": 0,
            **values,
        }
        self.changed = {}

    def get(self, field, default=None):
        return self.values.get(field, default)

    def set(self, field, value):
        self.values[field] = self.changed[field] = value

    def __getattr__(self, field):
        return self.get(field)


def run(script, values, answer, teams, customers):
    sent = []
    logged = []
    response = {}

    def make_post_request(url, auth=None, headers=None, data=None, json=None, params=None):
        sent.append({"url": url, "headers": headers, "body": dumps(json)})
        if "status" in answer:
            raise HTTPError(answer["status"], url, headers)
        if "value" not in answer:
            raise ConnectionError(f"Nobody at {url} takes {headers}")
        return answer["value"]

    def read_attribute(thing, name, default=None):
        if name in ("format", "format_map"):
            raise SyntaxError(f"{name} may not be read")
        return Guards.safer_getattr(thing, name, default=default)

    def read_item(thing, key):
        if isinstance(key, str) and key.startswith("_"):
            raise SyntaxError("A key starts with _")
        return thing[key]

    def get_all(doctype, filters, fields, limit):
        if (doctype, fields) != ("HD Customer", ["*"]):
            raise SyntaxError("Only what Deskside reads is answered here")
        return [row for row in customers if all(row.get(field) == value for field, value in filters.items())][:limit]

    ticket = Ticket(values)
    names = dict(
        safe_globals,
        frappe=types.SimpleNamespace(
            make_post_request=make_post_request,
            log_error=lambda title=None, message=None: logged.append([title, message]),
            new_doc=lambda doctype: Ticket({}),
            response=response,
            get_all=get_all,
            db=types.SimpleNamespace(exists=lambda doctype, name: name if doctype == "HD Team" and name in teams else None),
            session=types.SimpleNamespace(user="vy@shop.example"),
        ),
        json=types.SimpleNamespace(dumps=dumps, loads=json.loads),
        _getattr_=read_attribute,
        _getitem_=read_item,
        _getiter_=iter,
        _iter_unpack_sequence_=Guards.guarded_iter_unpack_sequence,
        _write_=lambda thing: thing,
    )
    exec(compile_restricted(script, filename="<serverscript>"), names, {"doc": ticket})
    return {"sent": sent, "fields": ticket.changed, "logged": logged, "response": response}


dumps = json.dumps

if __name__ == "__main__":
    print(json.dumps(run(**json.load(sys.stdin))))
