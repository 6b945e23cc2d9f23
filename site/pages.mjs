// The sections of the site in the order of its sidebar, and the documents of each. collect-pages.mjs adds documents that no section names to
// "How it works", and the packages to "Reference", so that every document has a page.

/**
 * The files of the repository that are pages, by the reader who needs them. `label` is the text in the sidebar (default: the title of the file);
 * a `hidden` page is not in the sidebar, because another page links to it.
 * `links` are the pages of `src/pages`; a link to their `file`, if there is one, leads to the page.
 */
export const SECTIONS = [
  {
    label: 'Start',
    pages: [{ file: 'README.md', path: 'overview', label: 'Overview' }],
    links: [{ label: 'Playground', link: '/playground/' }],
  },
  {
    label: 'Write a tool',
    pages: [
      { file: 'docs/authoring-tools.md' },
      { file: 'docs/semantic-results.md' },
      { file: 'packages/tool-sdk/README.md', label: 'The SDK for TypeScript' },
    ],
  },
  {
    label: 'Build a host',
    pages: [{ file: 'docs/building-a-host.md' }, { file: 'docs/extending.md' }],
    links: [
      {
        label: 'Components for React',
        link: '/gallery/',
        file: 'packages/react/examples/gallery',
      },
    ],
  },
  {
    label: 'Use the command',
    pages: [
      { file: 'docs/using-the-command.md' },
      {
        file: 'apps/reference-host/README.md',
        path: 'command',
        title: 'The command: all options',
      },
      { file: 'docs/mistakes.md' },
    ],
  },
  {
    label: 'Connect MCP',
    pages: [{ file: 'docs/connecting-mcp.md' }, { file: 'docs/serving-a-team.md' }],
  },
  {
    label: 'Read history',
    pages: [{ file: 'docs/reading.md' }, { file: 'docs/migration.md' }],
  },
  {
    label: 'Reference',
    pages: [
      { file: 'docs/configuration.md', label: 'Configuration' },
      { file: 'docs/protocol.md', label: 'Protocol' },
      { file: 'docs/uris.md', label: 'URIs' },
      { file: 'docs/limits.md' },
      { file: 'docs/exit-codes.md' },
      { file: 'docs/glossary.md' },
    ],
    packages: true,
  },
  {
    label: 'How it works',
    pages: [
      { file: 'docs/architecture.md' },
      { file: 'docs/evidence.md' },
      { file: 'docs/fidelity.md' },
      { file: 'docs/hosts.md' },
      { file: 'SECURITY.md' },
      { file: 'docs/tests.md' },
      { file: 'docs/dependencies.md' },
      { file: 'docs/compared.md' },
      { file: 'CONTRIBUTING.md' },
      { file: 'docs/releasing.md', hidden: true },
      // docs/evidence.md links to these.
      { file: 'docs/reliability.md', hidden: true },
      { file: 'docs/journeys.md', hidden: true },
      { file: 'docs/performance.md', hidden: true },
    ],
    others: true,
  },
]
