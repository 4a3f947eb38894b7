// A label and a value on one line.
import { Row, Text } from '@metamask/snaps-sdk/jsx';
import type { RowElement } from '@metamask/snaps-sdk/jsx';

/** Draw a label and a text. */
export function Field({ label, value }: { label: string; value: string }): RowElement {
  return (
    <Row label={label}>
      <Text>{value}</Text>
    </Row>
  );
}
