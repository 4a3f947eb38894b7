// Greetings: a welcome on installation and the news of an update, each once a version. (A local
// snap is installed anew whenever a site asks for it.)
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
import { nameTurn, REFUSE, toStillView } from '../ui/confirmation';
import type { PagedView } from '../ui/confirmation';
import { toShownCount } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';

/** Key of the outermost element, which distinguishes a greeting from a confirmation. */
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
    texts: ['news.page', 'news.fees', 'news.warnings', 'news.languages'],
  },
  { heading: 'news.kept', texts: ['news.kept.stored', 'news.kept.settings'] },
];

/**
 * Greets the user once a version and waits until the dialog is closed. Never fails.
 */
export async function greet(
  occasion: 'installation' | 'update',
  { publicStore, dialogs, loadTranslate, version }: AppContext,
): Promise<void> {
  try {
    // Stored before anything is shown: of two calls at once only one greets, and the greeting does
    // not come again because the browser was closed meanwhile.
    let isNew = false;
    await publicStore.update((state) => {
      isNew = state.greeted !== version;
      return isNew ? { ...state, greeted: version } : state;
    });
    if (!isNew) return;
    await dialogs.show(
      (translate) =>
        occasion === 'update'
          ? toStillView(News({ translate, version }))
          : Welcome({ translate }),
      await loadTranslate(),
    );
  } catch {
    // The home page has the same information.
  }
}

/** Draws the welcome: three steps, each a page of the same dialog. */
export function Welcome({ translate }: { translate: Translate }): PagedView {
  const count = toShownCount(steps.length, translate);
  const button = createButton(translate);
  return {
    pages: steps.length,
    dangers: [],
    notices: [],
    draw: ({ page, number }) => {
      const step = toShownCount(page + 1, translate);
      return drawGreeting({
        translate,
        title: 'welcome.title',
        subtitle: translate('welcome.step', { number: step, count }),
        parts: steps[page] ?? [],
        buttons: [
          page === 0
            ? button(REFUSE, 'action.close')
            : button(nameTurn(page - 1, number), 'action.back'),
          page === steps.length - 1
            ? button(REFUSE, 'action.done')
            : button(nameTurn(page + 1, number), 'action.next'),
        ],
      });
    },
  };
}

/** Draws the news of a version. */
export function News(view: { translate: Translate; version: string }): JSXElement {
  const { translate, version } = view;
  return drawGreeting({
    translate,
    title: 'news.title',
    subtitle: translate('news.version', { version }),
    parts: news,
    buttons: createButton(translate)(REFUSE, 'action.done'),
  });
}

const createButton =
  (translate: Translate) =>
  (name: string, label: TextKey): ButtonElement => (
    <Button name={name}>{translate(label)}</Button>
  );

type Greeting = {
  translate: Translate;
  title: TextKey;
  subtitle: string;
  parts: readonly Part[];
  buttons: ButtonElement | [ButtonElement, ButtonElement];
};

function drawGreeting(greeting: Greeting): JSXElement {
  const { translate, title, subtitle, parts, buttons } = greeting;
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
      <Footer>{buttons}</Footer>
    </Container>
  );
}
