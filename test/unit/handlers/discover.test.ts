import { createDiscover } from '../../../src/handlers/discover';
import { callersOf } from '../../support/callers';
import { contract } from '../../support/contract';
import { refusalOf } from '../../support/refusal';
import { COMPANION, createTestApp, DAPP } from '../../support/test-app';

const METHOD = 'rpc.discover';

const MISSING = {
  code: -32002,
  message:
    'The description of the methods (openrpc.json) cannot be read: install Tollkeeper anew.',
};

describe('discovering what can be called', () => {
  it('answers every site with the document, whatever params come', async () => {
    const { rpc } = callersOf(createTestApp());
    for (const params of [undefined, [], {}, ['x']]) {
      expect(await rpc(DAPP, METHOD, params)).toStrictEqual(contract);
    }
    expect(await rpc(COMPANION, METHOD)).toStrictEqual(contract);
  });

  it('reads nothing that is stored and asks nobody', async () => {
    const app = createTestApp();
    const { rpc } = callersOf(app);
    await rpc(DAPP, METHOD);
    const { backend, publicBackend, dialogs } = app.edges;
    expect([backend.loads, publicBackend.loads]).toStrictEqual([0, 0]);
    expect(dialogs.shown).toStrictEqual([]);
  });

  it('lets a site ask fifty times in ten seconds', async () => {
    const { rpc } = callersOf(createTestApp());
    for (let asked = 0; asked < 150; asked += 1) await rpc(DAPP, METHOD);
    expect(await refusalOf(rpc(DAPP, METHOD))).toMatchObject({ code: -32005 });
  });

  it('reads the file once while the worker lives', async () => {
    const asked: string[] = [];
    const discover = createDiscover((path) => {
      asked.push(path);
      return Promise.resolve('{"openrpc":"1.3.2"}');
    });
    expect(await discover()).toStrictEqual({ openrpc: '1.3.2' });
    expect(await discover()).toStrictEqual({ openrpc: '1.3.2' });
    expect(asked).toStrictEqual(['openrpc.json']);
  });

  it.each([
    ['is missing', () => Promise.resolve(null)],
    ['cannot be read', () => Promise.reject(new Error('The file does not exist.'))],
    ['is cut', () => Promise.resolve('{"openrpc":')],
    ['is no document', () => Promise.resolve('"1.3.2"')],
  ])('says so where the file %s, and reads it again', async (_what, fail) => {
    const reads = [fail, () => Promise.resolve('{}')];
    const discover = createDiscover(() => reads.shift()?.() ?? Promise.resolve(null));
    expect(await refusalOf(discover())).toStrictEqual(MISSING);
    expect(await discover()).toStrictEqual({});
  });
});
