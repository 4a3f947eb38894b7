// Every row of the methods' table: good and bad params, good and bad results.
import { createRpcClient, nodeSchema } from '../../../../src/client';
import type { RpcCall } from '../../../../src/client';
import { methodRows } from '../../../fixtures/client/method-rows';
import { failureOf } from '../../../support/error-of';

type Bench = { ask: (params: unknown) => Promise<unknown>; sent: RpcCall[] };

function setup(name: string, result: unknown): Bench {
  const sent: RpcCall[] = [];
  const client = createRpcClient(nodeSchema, {
    label: 'It',
    request: (made) => {
      sent.push(made);
      return Promise.resolve(result);
    },
  });
  return { sent, ask: (params) => client.request(name as never, params as never) };
}

describe.each(Object.entries(methodRows))('%s', (name, row) => {
  it.each(row.params.map((params) => [params]))('takes %j', async (params) => {
    const { ask, sent } = setup(name, row.results[0]);
    await ask(params);
    expect(sent).toMatchObject([{ method: name, params }]);
  });

  it.each([...row.badParams, undefined].map((params) => [params]))(
    'sends nothing for %p',
    async (params) => {
      const { ask, sent } = setup(name, row.results[0]);
      const { message, ...failure } = await failureOf(() => ask(params));
      expect(failure).toMatchObject({ name: 'InvalidParamsError', code: -32602 });
      expect(message).toMatch(
        new RegExp(`^${name}: params.* must be .*\\.$|not expected here\\.$`, 'u'),
      );
      expect(sent).toStrictEqual([]);
    },
  );

  it.each(row.results.map((result) => [result]))('gives %j', async (result) => {
    const { ask } = setup(name, result);
    expect(await ask(row.params[0])).toStrictEqual(result);
  });

  it.each([...row.bad, undefined].map((result) => [result]))(
    'does not believe %p',
    async (result) => {
      const { ask } = setup(name, result);
      const { message, ...failure } = await failureOf(() => ask(row.params[0]));
      expect(failure).toMatchObject({ name: 'InvalidResponseError', code: -32002 });
      expect(message).toContain(`${name} at It gave an invalid answer: result`);
    },
  );
});
