// The frame of what greets the user: it asks for nothing, and can be closed at any time.
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

import type { TextKey, Translate } from '../i18n';

/** Key of the outermost element, by which a greeting is told from a question. */
export const GREETING = 'greeting';

/** Texts under a heading. */
export type Part = { heading: TextKey; texts: readonly TextKey[] };

/** What greets. */
export type GreetingProps = {
  translate: Translate;
  title: string;
  /** Stands below the title. */
  line: string;
  parts: readonly Part[];
  /** The last is the one to press. */
  buttons: ButtonElement | [ButtonElement, ButtonElement];
};

/** Make a button of a greeting. */
export function drawButton(
  name: string,
  label: TextKey,
  translate: Translate,
): ButtonElement {
  return <Button name={name}>{translate(label)}</Button>;
}

/** Draw the frame. */
export function drawGreeting(props: GreetingProps): JSXElement {
  const { translate, title, line, parts, buttons } = props;
  return (
    <Container key={GREETING}>
      <Box>
        <Heading size="md">{title}</Heading>
        <Text color="alternative">{line}</Text>
        {parts.map(({ heading, texts }) => (
          <Section>
            <Heading>{translate(heading)}</Heading>
            {texts.map((text) => (
              <Text>{translate(text)}</Text>
            ))}
          </Section>
        ))}
      </Box>
      <Footer>{buttons}</Footer>
    </Container>
  );
}
