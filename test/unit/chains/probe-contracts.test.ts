import type { ChainRow } from '../../../src/state/chain-row';
import { breaking } from '../../support/fake-fetch';
import { createProbeBench as setup, servers } from '../../support/probe-bench';
import type { ProbeBench } from '../../support/probe-bench';
import { refusalOf } from '../../support/refusal';

const { rpcUrl, wsUrl } = servers;

const ENTRY_POINT = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108';
const CANONICAL = '0x13E9ed32155810FDbd067D4522C492D6f68E5944';
const FACTORY = `0x${'fa'.repeat(20)}` as const;

/** Have code at some addresses alone, whichever node is asked. */
function deploy({ node, wallet }: ProbeBench, ...addresses: string[]): void {
  for (const each of [node, wallet]) {
    each.answers.eth_getCode = ([address]) =>
      addresses.includes(address as string) ? '0x6080' : '0x';
  }
}

const codeAsked = ({ node, wallet }: ProbeBench): unknown[] =>
  [...node.calls, ...wallet.calls]
    .filter(({ method }) => method === 'eth_getCode')
    .map(({ params }) => params);

const wrong = (reason: string): unknown => ({
  code: -32602,
  message: `tollkeeper_setChain: params.${reason} Nothing was saved.`,
});

const nodes: [string, ChainRow][] = [
  ['the configured node', { rpcUrl }],
  ["the wallet's own node", {}],
];

describe.each(nodes)('contracts, as %s tells of them', (_who, row) => {
  it('must be there', async () => {
    const bench = setup();
    await bench.probe({ ...row, entryPoint: '0.8', factory: FACTORY }, row);
    expect(codeAsked(bench)).toStrictEqual([
      [ENTRY_POINT, 'latest'],
      [FACTORY, 'latest'],
    ]);
  });

  it('are refused without the EntryPoint', async () => {
    const bench = setup();
    deploy(bench, CANONICAL);
    expect(
      await refusalOf(bench.probe({ ...row, entryPoint: '0.8' }, row)),
    ).toStrictEqual(
      wrong(
        `entryPoint cannot be 0.8: there is no code at ${ENTRY_POINT} on eip155:1.`,
      ),
    );
  });

  it.each([
    [{ entryPoint: '0.8' as const }, CANONICAL],
    [{ entryPoint: '0.8' as const, factory: FACTORY }, FACTORY],
  ])('are refused without the factory: %j', async (contracts, factory) => {
    const bench = setup();
    deploy(bench, ENTRY_POINT);
    expect(await refusalOf(bench.probe({ ...row, ...contracts }, row))).toStrictEqual(
      wrong(`factory cannot be ${factory}: there is no code at it on eip155:1.`),
    );
  });
});

describe('contracts', () => {
  it('are asked for over the socket where there is no HTTP', async () => {
    const { probe, socketAnswers, sockets, wallet } = setup();
    socketAnswers.eth_getCode = '0x';
    expect(
      await refusalOf(probe({ wsUrl, entryPoint: '0.8' }, { wsUrl })),
    ).toStrictEqual(
      wrong(
        `entryPoint cannot be 0.8: there is no code at ${ENTRY_POINT} on eip155:1.`,
      ),
    );
    expect(sockets.opened).toHaveLength(1);
    expect(wallet.calls).toStrictEqual([]);
  });

  it('are taken as they are where no node tells', async () => {
    const { probe, network, wallet } = setup();
    network.serve(rpcUrl, breaking);
    expect(await probe({ rpcUrl, entryPoint: '0.8' }, { rpcUrl })).toStrictEqual({});
    wallet.answers.eth_chainId = '0x5';
    wallet.answers.eth_getCode = '0x';
    expect(await probe({ entryPoint: '0.8' })).toStrictEqual({});
    delete wallet.answers.eth_chainId;
    expect(await probe({ entryPoint: '0.8' })).toStrictEqual({});
  });

  it('leave it to the node to be told that it cannot be reached', async () => {
    const { probe, network } = setup();
    network.serve(rpcUrl, breaking);
    expect(await refusalOf(probe({ rpcUrl, entryPoint: '0.8' }))).toMatchObject({
      code: -32002,
      message: expect.stringContaining('params.rpcUrl: eth_chainId at') as string,
    });
  });

  it('are not asked for when both are cleared', async () => {
    const bench = setup();
    deploy(bench);
    await bench.probe({ rpcUrl }, { rpcUrl, entryPoint: '0.8', factory: FACTORY });
    expect(codeAsked(bench)).toStrictEqual([]);
  });

  it('are asked for when one of them is cleared', async () => {
    const bench = setup();
    const { probe } = bench;
    deploy(bench, ENTRY_POINT, FACTORY);
    const before: ChainRow = { entryPoint: '0.8', factory: FACTORY };
    expect(await refusalOf(probe({ entryPoint: '0.8' }, before))).toStrictEqual(
      wrong(`factory cannot be ${CANONICAL}: there is no code at it on eip155:1.`),
    );
  });
});
