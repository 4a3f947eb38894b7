// Compares two registries contract by contract.
import type { Bound } from './build';

export type Change = {
  what: 'added' | 'changed' | 'removed';
  /** CAIP-10 account of the contract. */
  contract: string;
  owner: string;
  /** Intents of the descriptions, such as `Swap`. */
  intents: string[];
};

type Described = { contract: string; owner: string; intent: string; content: string };

/** Lists changes by contract, in the order of the descriptors. */
export function listChanges(
  before: readonly Bound[],
  after: readonly Bound[],
): Change[] {
  const [old, now] = [describe(before), describe(after)];
  const changes = new Map<string, Change>();
  const add = (what: Change['what'], described: Described): void => {
    const { contract, owner, intent } = described;
    const key = `${what} ${contract} ${owner}`;
    const change = changes.get(key) ?? { what, contract, owner, intents: [] };
    changes.set(key, change);
    if (!change.intents.includes(intent)) change.intents.push(intent);
  };
  for (const [key, described] of now) {
    const known = old.get(key);
    if (!known) add('added', described);
    else if (known.content !== described.content) add('changed', described);
  }
  for (const [key, described] of old) if (!now.has(key)) add('removed', described);
  return [...changes.values()];
}

function describe(all: readonly Bound[]): Map<string, Described> {
  const entries = all.flatMap(({ deployments, formats, ...bound }) =>
    Object.entries(deployments).flatMap(([address, chains]) =>
      chains.flatMap((chain) =>
        Object.entries(formats).map(([key, [, format]]) => {
          const { eip712, metadata, definitions } = bound;
          const contract = `eip155:${chain}:${address}`;
          const described: Described = {
            contract,
            owner: metadata.owner ?? bound.name,
            intent: typeof format.intent === 'string' ? format.intent : key,
            content: JSON.stringify({ eip712, metadata, definitions, format }),
          };
          // Documents of the same type differ by their domain.
          return [`${contract} ${key} ${JSON.stringify(eip712)}`, described] as const;
        }),
      ),
    ),
  );
  return new Map(entries);
}
