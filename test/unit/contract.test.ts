// The contract: the document is one of OpenRPC, and its examples are calls that the code takes.
import { rows } from '../../dev/docs/contract';
import { runNode } from '../../dev/test/check';
import { lookUps } from '../../src/activity/look-ups';
import type { LookUp } from '../../src/activity/look-ups';
import type { Method } from '../../src/context';
import { methods as signingMethods } from '../../src/pipeline';
import { listMethods } from '../../src/routes';
import { contract, paramsFaults, resultFaults } from '../support/contract';

const signing: Partial<Record<string, Method>> = signingMethods;

const reading: Partial<Record<string, LookUp>> = lookUps;

const examples = rows.flatMap(({ name, params, examples: own }) =>
  own.map(
    (example) => [`${name}: ${example.name}`, { name, params, example }] as const,
  ),
);

describe('openrpc.json', () => {
  it('is a valid OpenRPC document', async () => {
    const { code, output } = await runNode(['dev/docs/validate.mjs', 'openrpc.json']);
    expect({ code, output }).toStrictEqual({ code: 0, output: '' });
  });

  it('has every callable method, and no other', () => {
    expect(contract.methods.map(({ name }) => name)).toStrictEqual(listMethods('rpc'));
  });
});

describe('the examples', () => {
  it.each(examples)(
    'are calls that the code accepts: %s',
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

  it.each(examples)('match their schemas: %s', (_what, { name, example }) => {
    expect(paramsFaults(name)(example.params)).toBeUndefined();
    expect(resultFaults(name)(example.result)).toBeUndefined();
  });
});
