// The ids of callers: whatever they are, an answer has its own caller's, and the node never
// sees them.
import { KEY } from '../../dev/service/service-bench';
import { toRequests } from '../support/json-rpc';
import { answerBy, useNodeBench } from '../support/service-node';

const start = useNodeBench();

type Answer = {
  id: unknown;
  result?: unknown;
  error?: { code: number; message: string };
};

const open = async () => {
  const { service, node } = await start(answerBy({ eth_chainId: '0x1' }));
  // What it checked before it began to serve.
  node.arrived.length = 0;
  const post = async (value: unknown) => {
    const init = { method: 'POST', body: JSON.stringify(value) };
    const response = await fetch(`${service.url}/v3/${KEY}`, init);
    return { json: (await response.json()) as Answer & Answer[] };
  };
  return { service, node, post };
};

const request = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' });

describe('the ids of callers', () => {
  it.each([0, -1, 1.5, null, '', 'a', '1', 2 ** 53, '__proto__'])(
    'echoes %j',
    async (id) => {
      const { post } = await open();
      expect((await post(request(id))).json).toEqual({
        jsonrpc: '2.0',
        id,
        result: '0x1',
      });
    },
  );

  it.each([[{}], [[]], [true]])('refuses %j', async (id) => {
    const { post } = await open();
    const { json } = await post(request(id));
    expect(json).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it('keeps the order of a batch, whose ids may repeat', async () => {
    const { post, node } = await open();
    const ids = [7, 'x', 7, null, 3];
    const { json } = await post(ids.map(request));
    expect(json.map(({ id }) => id)).toEqual(ids);
    const sent = node.arrived.flatMap(toRequests).map(({ id }) => id);
    expect(new Set(sent).size).toBe(ids.length);
    expect(json.every(({ result }) => result === '0x1')).toBe(true);
  });

  it('does not answer notifications', async () => {
    const { service, post } = await open();
    const notification = { jsonrpc: '2.0', method: 'eth_chainId' };
    const url = `${service.url}/v3/${KEY}`;
    for (const body of [notification, [notification, notification]]) {
      const init = { method: 'POST', body: JSON.stringify(body) };
      const response = await fetch(url, init);
      expect([response.status, await response.text()]).toStrictEqual([204, '']);
    }
    expect((await post([notification, request(2)])).json).toHaveLength(1);
  });
});
