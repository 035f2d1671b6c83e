"""What a person writes with the generated Python client: an attack, and a short fight.

Reads from the standard input ``{"address", "attack", "requests"}``, and writes what came of it: the answer of the
attack, the fight as it is in the end, and the requests that did not come through the client's types as they were.
"""

from __future__ import annotations

import json
import sys
from typing import Any
from uuid import uuid4

from fracas_client import AuthenticatedClient, Client, models
from fracas_client.api.combat import get_odds, resolve
from fracas_client.api.encounters import begin_encounter, get_encounter, give_command


def typed(request: dict[str, Any]) -> Any:
    """A request as an object of the class of its procedure."""
    name = "".join(part.capitalize() for part in f"{request['ruleset']}-{request['procedure']}".split("-"))
    return getattr(models, f"{name}Request").from_dict(request)


def fight(address: str, ruleset: str, attack: dict[str, Any]) -> Any:
    begun = begin_encounter.sync(
        client=Client(base_url=address),
        body=models.NewEncounter(
            ruleset=ruleset, settings=models.Settings(apply=models.SettingsApply("at-once"))
        ),
    )
    assert isinstance(begun, models.Begun), begun
    client = AuthenticatedClient(base_url=address, token=begun.tokens.gm.secret)

    def do(command: Any) -> models.Done:
        done = give_command.sync(
            begun.id, client=client, body=command, if_match="*", idempotency_key=uuid4().hex
        )
        assert isinstance(done, models.Done), done
        return done

    def seen() -> models.Encounter:
        found = get_encounter.sync(begun.id, client=client)
        assert isinstance(found, models.Encounter), found
        return found

    def settle() -> None:
        while asked := [step.question for step in seen().steps if step.question]:
            question = asked[0]
            do(models.CommandAnswer(command="answer", question=question.id, choose=question.default or None))

    do(models.CommandJoin(command="join", combatant=attack["attacker"], id="one", side="us"))
    do(models.CommandJoin(command="join", combatant=attack["target"], id="other", side="them"))
    do(models.CommandBeginTurn(command="begin-turn"))
    settle()
    while "one" not in seen().acting:
        do(models.CommandNext(command="next"))
    situation = models.CommandActSituation.from_dict(attack["situation"])
    do(
        models.CommandAct(
            command="act", combatant="one", action=attack["action"], target="other", situation=situation
        )
    )
    settle()
    end = seen()
    do(models.CommandClose(command="close"))
    return end.to_dict()


def main() -> None:
    told = json.load(sys.stdin)
    address, attack = told["address"], told["attack"]
    request = typed(attack["request"])
    answer = resolve.sync(client=Client(base_url=address), body=request)
    odds = get_odds.sync(client=Client(base_url=address), body=request)
    assert isinstance(answer, models.Answer), answer
    assert isinstance(odds, models.Odds), odds
    changed = [one for one in told["requests"] if typed(one).to_dict() != one]
    wrong = [one for one in told["wrong"] if accepts(one)]
    print(
        json.dumps(
            {
                "answer": answer.to_dict(),
                "odds": odds.to_dict(),
                "fight": fight(address, attack["request"]["ruleset"], attack),
                "changed": changed,
                "wrong": wrong,
            }
        )
    )


def accepts(request: dict[str, Any]) -> bool:
    try:
        typed(request)
    except (ValueError, TypeError, KeyError, AttributeError):
        return False
    return True


if __name__ == "__main__":
    main()
