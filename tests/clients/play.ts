// What a person writes with openapi-fetch and the generated types: an attack, its odds, and a short fight.
import createClient from "openapi-fetch";
import type { components, paths } from "./fracas";

type Schemas = components["schemas"];
type Attack = {
    request: Schemas["Request"];
    attacker: string;
    target: string;
    action: string;
    situation: Record<string, unknown>;
};
declare const process: { argv: string[]; stdout: { write(text: string): void } };

function found<T>(answer: { data?: T; error?: unknown }): T {
    if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
    return answer.data;
}

async function fight(address: string, attack: Attack): Promise<Schemas["Encounter"]> {
    const begun = found(
        await createClient<paths>({ baseUrl: address }).POST("/v1/encounters", {
            body: { ruleset: attack.request.ruleset, settings: { apply: "at-once" } },
        }),
    );
    const headers = { Authorization: `Bearer ${begun.tokens.gm.secret}` };
    const client = createClient<paths>({ baseUrl: address, headers });
    const path = { id: begun.id };
    const act = async (body: Schemas["Command"]) =>
        found(
            await client.POST("/v1/encounters/{id}/commands", {
                params: { path, header: { "If-Match": "*", "Idempotency-Key": crypto.randomUUID() } },
                body,
            }),
        );
    const seen = async () => found(await client.GET("/v1/encounters/{id}", { params: { path } }));
    const settle = async () => {
        for (;;) {
            const question = (await seen()).steps.find((step) => step.question)?.question;
            if (!question) return;
            await act({ command: "answer", question: question.id, choose: question.default ?? null });
        }
    };

    await act({ command: "join", combatant: attack.attacker, id: "one", side: "us" });
    await act({ command: "join", combatant: attack.target, id: "other", side: "them" });
    await act({ command: "begin-turn" });
    await settle();
    while (!(await seen()).acting.includes("one")) await act({ command: "next" });
    await act({
        command: "act",
        combatant: "one",
        action: attack.action,
        target: "other",
        situation: attack.situation,
    });
    await settle();
    const end = await seen();
    await act({ command: "close" });
    return end;
}

const [address, attacks] = [process.argv[2] ?? "", JSON.parse(process.argv[3] ?? "[]") as Attack[]];
const client = createClient<paths>({ baseUrl: address });
const told = [];
for (const attack of attacks) {
    const body = attack.request;
    told.push({
        answer: found(await client.POST("/v1/resolve", { body })),
        odds: found(await client.POST("/v1/odds", { body })),
        fight: await fight(address, attack),
    });
}
process.stdout.write(JSON.stringify(told));
