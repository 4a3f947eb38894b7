// Who may ask what became of calls (EIP-5792), how often, and what the user is shown.
import { callersOf } from '../../support/callers';
import { createCallsBench, createSentBench } from '../../support/calls-bench';
import { createGate } from '../../support/gate';
import { refusalOf } from '../../support/refusal';
import { approve, DAPP } from '../../support/test-app';
import { textOf, textsOf } from '../../support/view';

const STATUS = 'wallet_getCallsStatus';

const UNKNOWN = {
  code: 5730,
  message:
    'This origin sent no calls with the id "mine" from an account that it is granted.',
};

describe('calls', () => {
  it.each([STATUS, 'wallet_showCallsStatus'])(
    'are unknown to %s of other sites, without a grant, and by another id',
    async (method) => {
      const { app, call } = await createSentBench();
      const { rpc } = callersOf(app);
      const [account] = await app.services.grants.list(DAPP);
      await app.services.grants.set('https://other.example', [account?.id ?? '']);
      const others = rpc('https://other.example', method, ['mine']);
      expect(await refusalOf(others)).toStrictEqual(UNKNOWN);
      const { code, message } = await refusalOf(call(method, ['yours']));
      expect(code).toBe(5730);
      expect(message).toContain('"yours"');
      await app.services.grants.revoke(DAPP);
      expect(await refusalOf(call(method, ['mine']))).toStrictEqual(UNKNOWN);
    },
  );

  it.each([STATUS, 'wallet_showCallsStatus'])(
    'are asked for by their id (%s)',
    async (method) => {
      const { call } = await createCallsBench();
      expect(await refusalOf(call(method, []))).toStrictEqual({
        code: -32602,
        message: `${method}: params[0] is missing: it must be a string of 1 to 8194 characters.`,
      });
    },
  );

  it('are limited in how often they are asked for', async () => {
    const { status, edges } = await createCallsBench();
    edges.clock.time += 10_000;
    const asked = Array.from({ length: 151 }, async () => refusalOf(status('mine')));
    const codes = (await Promise.all(asked)).map(({ code }) => code);
    expect(codes).toStrictEqual([...Array<number>(150).fill(5730), -32005]);
  });

  it('are shown to the user, who closes the dialog', async () => {
    const { call, edges, hashes, mine } = await createSentBench();
    mine(hashes[0] ?? null);
    edges.dialogs.answer = async () => Promise.resolve(null);
    expect(await call('wallet_showCallsStatus', ['mine'])).toBeNull();
    const [view] = edges.dialogs.shown.slice(-1);
    expect(textsOf(view)).toStrictEqual([
      textOf('callsStatus.title'),
      textOf('field.status'),
      textOf('callsStatus.pending'),
      textOf('field.chain'),
      'Ethereum (eip155:1)',
      textOf('field.callsId'),
      'mine',
      textOf('sent.included'),
      hashes[0],
      textOf('sent.pending'),
      hashes[1],
    ]);
  });

  it('are shown in no more dialogs than may be open', async () => {
    const { call, edges } = await createSentBench();
    const gate = createGate();
    edges.dialogs.answer = async (content) => {
      await gate.opened;
      return approve(content);
    };
    const shown = Array.from({ length: 6 }, async () =>
      call('wallet_showCallsStatus', ['mine']),
    );
    const last = refusalOf(Promise.all(shown));
    expect(await last).toHaveProperty('code', -32005);
    gate.open();
    await Promise.allSettled(shown);
  });
});
