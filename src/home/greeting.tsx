// First run: a welcome on installation, what is new on an update, each once a version. (A
// local snap is installed anew whenever a site asks for it.) Greetings ask for nothing and can
// be closed at any time.
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

/** Key of the outermost element, by which a greeting is told from a question. */
export const GREETING = 'greeting';

/** Texts under a heading. */
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
 * Greets the user, unless that was done for this version; waits until the dialog is closed.
 *
 * Never fails: an installation is none the worse for a greeting that was not seen.
 */
export async function greet(
  occasion: 'installation' | 'update',
  { publicStore, dialogs, loadTranslate, version }: AppContext,
): Promise<void> {
  try {
    // Noted before anything is shown: of two that come at once one greets, and nobody is
    // greeted again because the browser was closed meanwhile.
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
    // The home page says what there is to say as well.
  }
}

/** Draws what a new user sees first: three steps, each a page of the same dialog. */
export function Welcome({ translate }: { translate: Translate }): PagedView {
  const count = toShownCount(steps.length, translate);
  const button = (name: string, label: TextKey): ButtonElement =>
    drawButton(name, label, translate);
  return {
    pages: steps.length,
    dangers: [],
    draw: ({ page, number }) =>
      drawGreeting({
        translate,
        title: translate('welcome.title'),
        line: translate('welcome.step', {
          number: toShownCount(page + 1, translate),
          count,
        }),
        parts: steps[page] ?? [],
        buttons: [
          page === 0
            ? button(REFUSE, 'action.close')
            : button(nameTurn(page - 1, number), 'action.back'),
          page === steps.length - 1
            ? button(REFUSE, 'action.done')
            : button(nameTurn(page + 1, number), 'action.next'),
        ],
      }),
  };
}

/** Draws what is new in a version, and what became of what the version before had stored. */
export function News({
  translate,
  version,
}: {
  translate: Translate;
  version: string;
}): JSXElement {
  return drawGreeting({
    translate,
    title: translate('news.title'),
    line: translate('news.version', { version }),
    parts: news,
    buttons: drawButton(REFUSE, 'action.done', translate),
  });
}

function drawButton(name: string, label: TextKey, translate: Translate): ButtonElement {
  return <Button name={name}>{translate(label)}</Button>;
}

function drawGreeting({
  translate,
  title,
  line,
  parts,
  buttons,
}: {
  translate: Translate;
  title: string;
  /** Stands below the title. */
  line: string;
  parts: readonly Part[];
  /** The last is the one to press. */
  buttons: ButtonElement | [ButtonElement, ButtonElement];
}): JSXElement {
  return (
    <Container key={GREETING}>
      <Box>
        <Heading size="md">{title}</Heading>
        <Text color="alternative">{line}</Text>
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
