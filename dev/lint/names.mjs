// A rule that oxlint lacks: forbids names as identifiers and strings, except for string literals in
// types.

const restricted = {
  meta: { type: 'problem', schema: [{ type: 'array' }] },
  create(context) {
    const messages = new Map(
      context.options[0].map(({ name, message }) => [name, message]),
    );
    const check = (node, name) => {
      const message = messages.get(name);
      if (message !== undefined) context.report({ node, message });
    };
    return {
      Identifier: (node) => check(node, node.name),
      Literal: (node) => {
        if (node.parent.type !== 'TSLiteralType') check(node, node.value);
      },
      TemplateElement: (node) => check(node, node.value.cooked),
    };
  },
};

// oxlint-disable-next-line import/no-default-export -- oxlint expects a default export.
export default { meta: { name: 'names' }, rules: { restricted } };
