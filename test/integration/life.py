"""A sender and worker that know nothing of this product: boto3 alone. Prints one JSON line per message that it finds.

usage: life.py ENDPOINT INGEST_URL WORK_URL DEAD_LETTER_URL
"""
import base64
import hashlib
import json
import sys
import time

import boto3

endpoint, ingest, work, dead_letters = sys.argv[1:]
sqs = boto3.client(
    "sqs",
    endpoint_url=endpoint,
    region_name="us-east-1",
    aws_access_key_id="any",
    aws_secret_access_key="any",
)


def text(value, kind="String"):
    return {"DataType": kind, "StringValue": value}


TEN = {f"a{number}": text(str(number)) for number in range(10)}
ITEMS = {
    "binary and custom types": (
        "plain",
        {
            "sig": {"DataType": "Binary", "BinaryValue": bytes(range(256))},
            "photo": {"DataType": "Binary.png", "BinaryValue": b"\x89PNG\x00"},
            "id": text("7f", "String.uuid"),
            "prio": text("7", "Number.int"),
        },
    ),
    "ten attributes": ("ten", TEN),
    "emoji": ('{ "n":9007199254740993, "é":"\U0001f642" }', {"tenant": text("ä\U0001f642")}),
    "one mebibyte": ("x" * 1_048_576, {}),
}


def digest(message):
    attributes = message.get("MessageAttributes", {})
    attributes.pop("RetryContext", None)
    plain = {
        name: [each["DataType"], each.get("StringValue"), base64.b64encode(each.get("BinaryValue", b"")).decode()]
        for name, each in sorted(attributes.items())
    }
    return {"body": hashlib.sha256(message["Body"].encode()).hexdigest(), "attributes": plain}


def collect(url, count, seconds=60):
    found = []
    until = time.monotonic() + seconds
    while len(found) < count and time.monotonic() < until:
        for message in sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=2, MessageAttributeNames=["All"]
        ).get("Messages", []):
            context = message.get("MessageAttributes", {}).get("RetryContext")
            found.append(
                {"context": json.loads(context["StringValue"]) if context else None, "id": message["MessageId"], **digest(message)}
            )
            # A worker that fails: it hands the message back at once, and SQS moves it on by itself.
            sqs.change_message_visibility(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"], VisibilityTimeout=0)
            if url == dead_letters:
                sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    return found


sent = {}
for name, (body, attributes) in ITEMS.items():
    sqs.send_message(QueueUrl=ingest, MessageBody=body, MessageAttributes=attributes)
    sent[name] = digest({"Body": body, "MessageAttributes": dict(attributes)})

at_work = {}
dead = []
until = time.monotonic() + 90
while len(dead) < len(ITEMS) and time.monotonic() < until:
    for found in collect(work, 1, seconds=1):
        at_work.setdefault(found["body"], []).append(found)
    dead += collect(dead_letters, 1, seconds=0.1)

print(json.dumps({"sent": sent, "work": at_work, "dead": dead}))
