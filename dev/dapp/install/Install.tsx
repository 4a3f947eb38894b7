/** @jsxImportSource preact */
// Having the snap: what there is, what to do next, and the servers of a network.
import type { JSX } from 'preact';

import { Button, Card, Output, Section, useAction } from '../components';
import { useSession } from '../session';
import type { Session } from '../session';
import { Network } from './Network';
import { Steps } from './Steps';
import { describeState } from './states';
import type { StateText } from './states';

/** Where MetaMask Flask is found: a link for people, never fetched. */
const FLASK = 'https://docs.metamask.io/snaps/get-started/install-flask/';

/** Draw the section. */
export function Install(): JSX.Element {
  const session = useSession();
  return (
    <Section
      id="install"
      title="Install"
      lead="Tollkeeper is a snap: it runs inside MetaMask Flask. Four steps, and all of this page works."
    >
      <Steps />
      <div class="cards">
        <Snap session={session} />
        <Network />
      </div>
    </Section>
  );
}

function Snap({ session }: { session: Session }): JSX.Element {
  const { status, problem, config, refresh } = session;
  const action = useAction();
  const text = status ? describeState(status, config.version) : unknown(problem);
  const press = (): void =>
    void action.run(async () => {
      if (text.action === 'install') await install(session);
      await refresh();
      return text.action === 'install' ? 'MetaMask has installed it.' : 'Looked again.';
    });
  return (
    <Card title={text.title}>
      <p class="install-next">{text.next}</p>
      <div class="actions">
        <Button
          kind={status?.state === 'ready' ? 'plain' : 'primary'}
          isBusy={action.isBusy}
          onClick={press}
        >
          {text.verb}
        </Button>
        {text.needsFlask && (
          <a class="button" href={FLASK} rel="noreferrer">
            Get MetaMask Flask
          </a>
        )}
      </div>
      <dl class="facts">
        <dt>Snap</dt>
        <dd class="mono">{config.snapId}</dd>
      </dl>
      <Output outcome={action.outcome} label="Answer of the installation" />
    </Card>
  );
}

// Asked outright: what is ready would not be installed again otherwise.
async function install({ provider, config, status }: Session): Promise<void> {
  if (status?.state !== 'ready') {
    await provider.install();
    return;
  }
  const { snapId, version } = config;
  await provider.request({
    method: 'wallet_requestSnaps',
    params: { [snapId]: { version } },
  });
}

function unknown(problem: { message: string } | undefined): StateText {
  return {
    title: problem ? 'MetaMask does not tell' : 'Looking for MetaMask …',
    next: problem?.message ?? 'This takes half a second at most.',
    action: 'look',
    verb: 'Look again',
  };
}
