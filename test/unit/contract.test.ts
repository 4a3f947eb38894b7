// The contract: the document is one of OpenRPC, and its examples are calls that the code takes.
import { readFileSync } from 'node:fs';

import { rows } from '../../dev/docs/contract';
import { callsErrors, generalErrors } from '../../dev/docs/contract/errors';
import { getNamed } from '../../dev/docs/schema/words';
import { runNode } from '../../dev/test/check';
import { lookUps } from '../../src/activity/look-ups';
import type { LookUp } from '../../src/activity/look-ups';
import { findNextRow } from '../../src/chains/configuration';
import type { Method } from '../../src/context';
import * as errorClasses from '../../src/core/errors';
import { methods as signingMethods } from '../../src/pipeline';
import { findRoute, listMethods } from '../../src/routes';
import { openPrivateStore } from '../../src/state/private-state';
import { contract, paramsFaults, resultFaults } from '../support/contract';
import type { Contract } from '../support/contract';
import { createMemoryBackend } from '../support/memory-backend';

const signing: Partial<Record<string, Method>> = signingMethods;

const reading: Partial<Record<string, LookUp>> = lookUps;

const read = (path: string): string => readFileSync(path, 'utf8');

const { methods, components } = contract;

const examples = rows.flatMap(({ name, params, examples: own }) =>
  own.map(
    (example) => [`${name}: ${example.name}`, { name, params, example }] as const,
  ),
);

describe('what npm run docs writes', () => {
  it('says which struct has no schema', () => {
    expect(() => getNamed('a struct of tomorrow')).toThrow(
      'There is no JSON Schema for "a struct of tomorrow": add one to ' +
        'dev/docs/schema/words.ts.',
    );
  });
});

describe('openrpc.json', () => {
  it('is a document of OpenRPC', async () => {
    expect(await validate('openrpc.json')).toStrictEqual({ code: 0, output: '' });
    // Other documents are refused: the manifest has neither methods nor a version.
    const { code, output } = await validate('snap.manifest.json');
    expect(code).toBe(1);
    expect(output).toContain('Error validating OpenRPC Document');
  });

  it('is small enough to be answered', () => {
    expect(read('openrpc.json').length).toBeLessThan(220_000);
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(contract.info.version).toBe(version);
  });

  it('has every method that can be called, open to those who may, and no other', () => {
    const open = methods.map((method) => [method.name, method['x-open-to']]);
    expect(open).toStrictEqual(
      listMethods('rpc').map((name) => [name, findRoute(name)?.by]),
    );
    expect(rows.map(({ name }) => name).sort()).toStrictEqual(
      methods.map(({ name }) => name).sort(),
    );
  });

  it('has the codes of our error classes, and no others', () => {
    const declared = Object.values(components.errors).map(({ code }) => code);
    const made = [...generalErrors, ...callsErrors].map(({ error }) => error);
    expect(declared).toStrictEqual(made.map(({ code }) => code));
    const classes = new Set(made.map(({ name }) => name));
    // A failure of MetaMask counts as unavailable.
    const general = ['TollkeeperError', 'PlatformError'];
    const all = Object.keys(errorClasses).filter((name) => name.endsWith('Error'));
    expect([...classes, ...general].sort()).toStrictEqual(all.sort());
    for (const { errors } of methods) {
      for (const error of errors) expect(declared).toContain(codeOf(error));
    }
  });

  it('refers to nothing that it has not', () => {
    const references = JSON.stringify(contract).match(/#\/components\/[^"]+/gu) ?? [];
    expect(references.length).toBeGreaterThan(100);
    const missing = references.filter((reference) => find(reference) === undefined);
    expect(missing).toStrictEqual([]);
  });
});

async function validate(path: string): Promise<{ code: number; output: string }> {
  const { code, output } = await runNode(['dev/docs/validate.mjs', path]);
  return { code, output };
}

function codeOf(error: Contract['methods'][number]['errors'][number]): number {
  if ('code' in error) return error.code;
  return (find(error.$ref) as { code: number }).code;
}

function find(reference: string): unknown {
  const parts = reference.split('/').slice(1);
  return parts.reduce<unknown>(
    (value, part) => (value as Record<string, unknown> | undefined)?.[part],
    contract,
  );
}

describe('the examples', () => {
  it('are there for every method that is not refused', () => {
    const missing = methods.filter((method) => method.examples.length === 0);
    expect(missing.map(({ name }) => name)).toStrictEqual(
      listMethods('rpc').filter((name) => findRoute(name)?.kind === 'refused'),
    );
  });

  it.each(examples)(
    'are calls that the code takes: %s',
    (_what, { name, params, example }) => {
      const readers = [
        (given: unknown) => params.read?.(given),
        (given: unknown) => signing[name]?.read(given),
        (given: unknown) => reading[name]?.(given as never, 'params'),
      ];
      for (const readParams of readers) {
        expect(() => readParams(example.params)).not.toThrow();
      }
    },
  );

  it.each(examples)('fit their schemas: %s', (_what, { name, example }) => {
    expect(paramsFaults(name)(example.params)).toBeUndefined();
    expect(resultFaults(name)(example.result)).toBeUndefined();
  });

  it('set a chain as it is answered', async () => {
    const [example] =
      rows.find(({ name }) => name === 'tollkeeper_setChain')?.examples ?? [];
    const store = openPrivateStore(createMemoryBackend());
    const { chainId } = await findNextRow(example?.params, store);
    expect(example?.result).toMatchObject({ chainId: `eip155:${chainId}` });
  });
});
