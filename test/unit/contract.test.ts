// The contract is a valid OpenRPC document, whose examples are calls that the code accepts.
import { contract, listExamples } from '../../dev/docs/contract';
import { runNode } from '../../dev/test/check';
import { version } from '../../package.json';
import { lookUps } from '../../src/activity/look-ups';
import type { LookUp } from '../../src/activity/look-ups';
import type { Method } from '../../src/context';
import { methods as signingMethods } from '../../src/pipeline';
import { findRoute, listMethods } from '../../src/routes';
import { paramsFaults, resultFaults } from '../support/contract';

const signing: Partial<Record<string, Method>> = signingMethods;

const reading: Partial<Record<string, LookUp>> = lookUps;

const examples = contract.methods.flatMap((method) =>
  listExamples(method).map(
    (example) => [`${method.name}: ${example.name}`, method.name, example] as const,
  ),
);

describe('openrpc.json', () => {
  it('is a valid OpenRPC document', async () => {
    const { code, output } = await runNode(['dev/docs/validate.mjs', 'openrpc.json']);
    expect({ code, output }).toStrictEqual({ code: 0, output: '' });
  });

  it('has the version of the package', () => {
    expect(contract.info.version).toBe(version);
  });

  it('has exactly the callable methods, with their callers', () => {
    const callers = contract.methods.map((method) => [
      method.name,
      method['x-open-to'],
    ]);
    expect(Object.fromEntries(callers)).toStrictEqual(
      Object.fromEntries(
        listMethods('rpc').map((name) => [name, findRoute(name)?.by] as const),
      ),
    );
  });
});

describe('the examples', () => {
  it.each(examples)(
    'are calls that the code accepts: %s',
    (_what, name, { params }) => {
      expect(() => {
        signing[name]?.read(params);
        reading[name]?.(params, 'params');
      }).not.toThrow();
    },
  );

  it.each(examples)('match their schemas: %s', (_what, name, { params, result }) => {
    expect(paramsFaults(name)(params)).toBeUndefined();
    expect(resultFaults(name)(result)).toBeUndefined();
  });
});
