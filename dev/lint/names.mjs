// A rule that oxlint lacks: names that stand in some folders alone, as identifiers or as texts. Types are
// free to use them.

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

// oxlint-disable-next-line import/no-default-export -- The form in which oxlint takes it.
export default { meta: { name: 'names' }, rules: { restricted } };
