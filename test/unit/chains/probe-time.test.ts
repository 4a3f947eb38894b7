import { pass, useFakeClock } from '../../support/fake-clock';
import { createProbeBench as setup, servers } from '../../support/probe-bench';
import { refusalOf } from '../../support/refusal';

useFakeClock();

const never = async (): Promise<never> => new Promise(() => undefined);

const fields = ['rpcUrl', 'wsUrl', 'gasBaseUrl', 'bundlerUrl', 'paymasterUrl'] as const;

it.each(fields)('waits for no server longer than five seconds: %s', async (field) => {
  const { probe, network, sockets } = setup();
  network.serve(servers[field], never);
  sockets.behaviour.onOpen = never;
  const refused = refusalOf(probe({ [field]: servers[field] }));
  let isOver = false;
  void refused.then(() => (isOver = true));
  await pass(4_999);
  expect(isOver).toBe(false);
  await pass(1);
  expect(await refused).toStrictEqual({
    code: -32002,
    message: `tollkeeper_setChain: params.${field}: It took longer than 5000 ms. Nothing was saved.`,
  });
});

it('ends what it gives up', async () => {
  const { probe, network } = setup();
  const signals: (AbortSignal | null | undefined)[] = [];
  network.watch((init) => signals.push(init.signal));
  network.serve(servers.rpcUrl, never);
  const refused = refusalOf(probe({ rpcUrl: servers.rpcUrl }));
  await pass(4_999);
  expect(signals.map((signal) => signal?.aborted)).toStrictEqual([false]);
  await pass(1);
  await refused;
  expect(signals.map((signal) => signal?.aborted)).toStrictEqual([true]);
});

it('waits for all of them at once', async () => {
  const { probe, network, sockets } = setup();
  for (const url of Object.values(servers)) network.serve(url, never);
  sockets.behaviour.onOpen = never;
  const refused = refusalOf(probe({ ...servers, entryPoint: '0.8' }));
  await pass(5_000);
  expect((await refused).message).toContain('params.rpcUrl: It took longer');
});

it('does without what a node does not tell of the contracts in time', async () => {
  const { probe, network } = setup();
  const { rpcUrl } = servers;
  network.serve(rpcUrl, never);
  const probing = probe({ rpcUrl, entryPoint: '0.8' }, { rpcUrl });
  await pass(5_000);
  expect(await probing).toStrictEqual({});
});
