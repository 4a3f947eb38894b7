import { submission } from '../../../dev/wallet/keyring-requests';
import { callersOf } from '../../support/callers';
import { createGate, settle } from '../../support/gate';
import { createKeyringBench } from '../../support/keyring-bench';
import { refusalOf } from '../../support/refusal';

describe('settling', () => {
  it('lets the request go on though the state cannot be read', async () => {
    const bench = createKeyringBench();
    const { id } = await bench.create();
    bench.restart();
    bench.app.edges.backend.failNextLoad = new Error('The disk is gone.');
    expect((await bench.sides()).snap).toStrictEqual([id]);
  });

  it('leaves alone what is in flight', async () => {
    const bench = createKeyringBench();
    const { opened, open } = createGate();
    bench.metamask.decide = async () => {
      await opened;
      return true;
    };
    const creating = bench.create();
    await settle();
    expect(await bench.sides()).toStrictEqual({ metamask: [], snap: [] });
    expect(bench.notes()).toHaveLength(1);
    open();
    const { id } = await creating;
    expect(await bench.sides()).toStrictEqual({ metamask: [id], snap: [id] });
  });

  it('says that an account is not there that nobody has heard of', async () => {
    const { app } = createKeyringBench();
    const asked = { account: '11111111-1111-4111-8111-111111111111', params: [] };
    const { params } = submission({ ...asked, method: 'personal_sign' });
    const call = callersOf(app).keyring('metamask', 'keyring_submitRequest', params);
    expect(await refusalOf(call)).toHaveProperty('code', -32001);
  });
});
