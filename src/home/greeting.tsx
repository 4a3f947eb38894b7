// Greetings: a welcome on installation, and news on an update, at most one per version. A local
// snap needs this limit, because it is reinstalled whenever a site requests it.
import {
  Box,
  Button,
  Container,
  Footer,
  Heading,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { ButtonElement, JSXElement } from '@metamask/snaps-sdk/jsx';

import type { AppContext } from '../context';
import { HOME_ORIGIN } from '../sites/consent';
import { nameTurn, REFUSE, toInfoView } from '../ui/confirmation';
import type { PagedView } from '../ui/confirmation';
import type { TextKey, Translate } from '../ui/i18n';

/** Key of the outermost element, which tells a greeting from a confirmation. */
export const GREETING = 'greeting';

type Part = { heading: TextKey; texts: readonly TextKey[] };

const steps: readonly (readonly Part[])[] = [
  [
    { heading: 'welcome.what', texts: ['welcome.what.does', 'welcome.what.asks'] },
    { heading: 'welcome.page', texts: ['welcome.page.where', 'welcome.page.shows'] },
  ],
  [
    {
      heading: 'welcome.create',
      texts: ['welcome.create.how', 'welcome.create.back', 'welcome.create.install'],
    },
    { heading: 'welcome.import', texts: ['welcome.import.how', 'welcome.import.copy'] },
  ],
  [
    { heading: 'welcome.sites', texts: ['welcome.sites.choose', 'welcome.sites.end'] },
    { heading: 'welcome.fees', texts: ['welcome.fees.levels', 'welcome.fees.change'] },
  ],
];

const news: readonly Part[] = [
  {
    heading: 'news.changes',
    texts: ['news.page', 'news.fees', 'news.warnings', 'news.languages', 'news.smart'],
  },
  { heading: 'news.kept', texts: ['news.kept.stored', 'news.kept.settings'] },
];

/** Greets the user at most once per version, and waits until the dialog is closed. Never fails. */
export async function greet(
  occasion: 'installation' | 'update',
  { publicStore, consent, version }: AppContext,
): Promise<void> {
  try {
    // The version is stored before anything is shown, so that only one of two concurrent calls
    // greets, and closing the browser does not bring the greeting back.
    let isNew = false;
    await publicStore.update((state) => {
      isNew = state.greeted !== version;
      return isNew ? { ...state, greeted: version } : state;
    });
    if (!isNew) return;
    await consent.show(HOME_ORIGIN, (translate) =>
      occasion === 'update'
        ? toInfoView(News({ translate, version }))
        : Welcome({ translate }),
    );
  } catch {
    // The home page has the same information.
  }
}

export function Welcome({ translate }: { translate: Translate }): PagedView {
  const last = steps.length - 1;
  return {
    pages: steps.length,
    dangers: [],
    notices: [],
    draw: ({ page, number }) => {
      const back = nameTurn(page - 1, number);
      const next = nameTurn(page + 1, number);
      return drawGreeting(translate, {
        title: 'welcome.title',
        subtitle: translate('welcome.step', { number: page + 1, count: steps.length }),
        parts: steps[page] ?? [],
        buttons: [
          page === 0 ? [REFUSE, 'action.close'] : [back, 'action.back'],
          page === last ? [REFUSE, 'action.done'] : [next, 'action.next'],
        ],
      });
    },
  };
}

export function News(view: { translate: Translate; version: string }): JSXElement {
  const { translate, version } = view;
  return drawGreeting(translate, {
    title: 'news.title',
    subtitle: translate('news.version', { version }),
    parts: news,
    buttons: [[REFUSE, 'action.done']],
  });
}

type Named = readonly [name: string, label: TextKey];

type Greeting = {
  title: TextKey;
  subtitle: string;
  parts: readonly Part[];
  buttons: readonly [Named, Named?];
};

function drawGreeting(
  translate: Translate,
  { title, subtitle, parts, buttons: [first, second] }: Greeting,
): JSXElement {
  const button = ([name, label]: Named): ButtonElement => (
    <Button name={name}>{translate(label)}</Button>
  );
  return (
    <Container key={GREETING}>
      <Box>
        <Heading size="md">{translate(title)}</Heading>
        <Text color="alternative">{subtitle}</Text>
        {parts.map(({ heading, texts }) => (
          <Section>
            <Heading>{translate(heading)}</Heading>
            {texts.map((words) => (
              <Text>{translate(words)}</Text>
            ))}
          </Section>
        ))}
      </Box>
      <Footer>{second ? [button(first), button(second)] : button(first)}</Footer>
    </Container>
  );
}
