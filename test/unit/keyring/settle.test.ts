import { submission } from '../../../dev/wallet/keyring-requests';
import { callersOf } from '../../support/callers';
import { createGate, settle } from '../../support/gate';
import { createKeyringBench } from '../../support/keyring-bench';
import type { KeyringBench } from '../../support/keyring-bench';
import { IMPORTED_KEY } from '../../support/records';
import { refusalOf } from '../../support/refusal';

const SMART = { type: 'eip155:erc4337', scopes: ['eip155:5'] };

/** Run a request up to a point, where the worker is stopped: it never goes on. */
async function stopWithin(bench: KeyringBench, run: () => unknown): Promise<void> {
  void run();
  await settle();
  bench.restart();
}

/** Let no write of the worker that runs come through, after so many. */
function hangSaves(bench: KeyringBench, after: number): void {
  const { backend } = bench.app.edges;
  const { save } = backend;
  let saves = 0;
  backend.save = async (document) => {
    saves += 1;
    if (saves > after) await createGate().opened;
    await save(document);
  };
}

describe('what a stopped worker left', () => {
  it('is an account of both sides if MetaMask took it', async () => {
    const bench = createKeyringBench();
    hangSaves(bench, 1);
    await stopWithin(bench, () => bench.create());
    expect(bench.notes()).toHaveLength(1);
    const { metamask, snap } = await bench.sides();
    expect(metamask).toHaveLength(1);
    expect(snap).toStrictEqual(metamask);
    expect(bench.notes()).toStrictEqual([]);
  });

  it('is an account of neither side if MetaMask dropped it', async () => {
    const bench = createKeyringBench();
    const { id } = await bench.create();
    hangSaves(bench, 1);
    await stopWithin(bench, () => bench.app.services.keyring.deleteAccount(id));
    expect(await bench.sides()).toStrictEqual({ metamask: [], snap: [] });
    expect(bench.notes()).toStrictEqual([]);
  });

  it('stays with both sides if MetaMask had not dropped it', async () => {
    const bench = createKeyringBench();
    const { id } = await bench.create({ privateKey: IMPORTED_KEY });
    bench.metamask.decide = async () => {
      await createGate().opened;
      return true;
    };
    await stopWithin(bench, () => bench.app.services.keyring.deleteAccount(id));
    expect(await bench.sides()).toStrictEqual({ metamask: [id], snap: [id] });
    expect(bench.notes()).toStrictEqual([]);
  });

  it('is told to MetaMask again if it was an update', async () => {
    const bench = createKeyringBench();
    const account = await bench.create(SMART);
    bench.app.edges.events.take = async () => createGate().opened;
    const changed = { ...account, scopes: ['eip155:1' as const] };
    await stopWithin(bench, () => bench.app.services.keyring.updateAccount(changed));
    await bench.sides();
    expect(bench.metamask.accounts.get(account.id)).toStrictEqual(changed);
    expect(await bench.app.services.keyring.listAccounts()).toStrictEqual([changed]);
  });

  it('keeps an updated account that MetaMask has lost', async () => {
    const bench = createKeyringBench();
    const account = await bench.create({ ...SMART, privateKey: IMPORTED_KEY });
    bench.app.edges.events.take = async () => createGate().opened;
    const changed = { ...account, scopes: ['eip155:1' as const] };
    await stopWithin(bench, () => bench.app.services.keyring.updateAccount(changed));
    bench.metamask.accounts.clear();
    expect((await bench.sides()).snap).toStrictEqual([account.id]);
    expect(bench.notes()).toStrictEqual([]);
  });
});

describe('an account whose user had not decided when the worker was stopped', () => {
  type Bench = KeyringBench & { answer: (isAccepted: boolean) => Promise<void> };

  async function setup(): Promise<Bench> {
    const bench = createKeyringBench();
    const { opened, open } = createGate();
    let isAccepted = false;
    bench.metamask.decide = async () => {
      await opened;
      return isAccepted;
    };
    await stopWithin(bench, () =>
      bench.create({ privateKey: IMPORTED_KEY }).catch(() => undefined),
    );
    return Object.assign(bench, {
      answer: async (decision: boolean) => {
        isAccepted = decision;
        open();
        await settle();
      },
    });
  }

  it('is listed by neither side, and its key is kept', async () => {
    const bench = await setup();
    expect(await bench.sides()).toStrictEqual({ metamask: [], snap: [] });
    expect(bench.notes()).toHaveLength(1);
  });

  it('is ours as soon as MetaMask asks for a signature of it', async () => {
    const bench = await setup();
    await bench.sides();
    await bench.answer(true);
    const [account] = bench.metamask.accounts.values();
    const { id = '', address = '' } = account ?? {};
    const signing = { account: id, method: 'personal_sign', params: ['0x12', address] };
    const { keyring } = callersOf(bench.app);
    const { params } = submission(signing);
    const { metamask } = bench;
    expect(await keyring('metamask', 'keyring_submitRequest', params)).toMatchObject({
      pending: false,
    });
    expect(await bench.sides()).toStrictEqual({
      metamask: [...metamask.accounts.keys()],
      snap: [id],
    });
    expect(bench.notes()).toStrictEqual([]);
  });

  it('is asked about by every request until MetaMask has it', async () => {
    const bench = await setup();
    await bench.sides();
    await bench.answer(true);
    const { metamask, snap } = await bench.sides();
    expect(metamask).toHaveLength(1);
    expect(snap).toStrictEqual(metamask);
  });

  it('is forgotten when the client has started anew without it', async () => {
    const bench = await setup();
    await bench.app.services.session.begin();
    expect(await bench.sides()).toStrictEqual({ metamask: [], snap: [] });
    expect(bench.notes()).toStrictEqual([]);
    expect(JSON.stringify(bench.app.edges.backend.document)).not.toContain(
      IMPORTED_KEY,
    );
  });

  it('is not lost if it is imported again while MetaMask still asks', async () => {
    const bench = await setup();
    expect(await refusalOf(bench.create({ privateKey: IMPORTED_KEY }))).toStrictEqual({
      code: -32002,
      message:
        'MetaMask is asking its user about an account; answer that and try again.',
    });
    await bench.sides();
    await bench.answer(true);
    bench.restart();
    const { metamask, snap } = await bench.sides();
    expect(metamask).toHaveLength(1);
    expect(snap).toStrictEqual(metamask);
  });

  it('can be imported again', async () => {
    const bench = await setup();
    await bench.answer(false);
    bench.metamask.decide = () => Promise.resolve(true);
    const { id } = await bench.create({ privateKey: IMPORTED_KEY });
    expect(await bench.sides()).toStrictEqual({ metamask: [id], snap: [id] });
    expect(bench.notes()).toStrictEqual([]);
  });
});
