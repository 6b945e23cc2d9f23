// An MCP server whose results mix kinds of content, as real servers do. Each tool takes no arguments; its text, structure, picture, link and file have
// contents that are found again in a request of a model.

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/MediaBox[0 0 9 9]/Parent 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n',
).toString('base64')

const text = (value, annotations) => ({
  type: 'text',
  text: value,
  ...(annotations && { annotations }),
})
const picture = { type: 'image', data: PNG, mimeType: 'image/png' }

/** The result of each tool, with the texts that its model must receive (`says`) and must not receive (`hides`), by the name of the check. */
export const MIXED = {
  text_and_structure: {
    result: { content: [text('alpha-text')], structuredContent: { value: 'alpha-structure' } },
    says: { 'text beside structure': 'alpha-text', 'structure beside text': 'alpha-structure' },
  },
  picture_and_structure: {
    result: { content: [picture], structuredContent: { value: 'beta-structure' } },
    says: { 'picture beside structure': PNG, 'structure beside picture': 'beta-structure' },
  },
  error_and_structure: {
    result: {
      content: [text('gamma-error')],
      structuredContent: { value: 'gamma-structure' },
      isError: true,
    },
    says: { 'text of an error': 'gamma-error', 'structure of an error': 'gamma-structure' },
  },
  structure_alone: {
    result: { content: [], structuredContent: { value: 'delta-structure' } },
    says: { 'structure alone': 'delta-structure' },
  },
  for_the_user: {
    result: {
      content: [text('epsilon-model'), text('epsilon-user', { audience: ['user'] })],
    },
    says: { 'text beside one for the user': 'epsilon-model' },
    hides: { 'text for the user alone': 'epsilon-user' },
  },
  link: {
    result: {
      content: [
        text('zeta-text'),
        { type: 'resource_link', uri: 'demo://zeta-link', name: 'zeta-name' },
      ],
    },
    says: { link: 'demo://zeta-link' },
  },
  document: {
    result: {
      content: [
        {
          type: 'resource',
          resource: { uri: 'demo://eta-file.pdf', mimeType: 'application/pdf', blob: PDF },
        },
      ],
    },
    says: { 'address of a PDF': 'demo://eta-file.pdf' },
  },
  resource_and_structure: {
    result: {
      content: [
        {
          type: 'resource',
          resource: { uri: 'demo://theta', mimeType: 'text/plain', text: 'theta-text' },
        },
      ],
      structuredContent: { value: 'theta-structure' },
    },
    says: { 'resource beside structure': 'theta-text' },
  },
}

function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'mixed', version: '1.0.0' },
      }
    case 'tools/list':
      return {
        tools: Object.keys(MIXED).map((name) => ({
          name,
          description: `Returns the result ${name}.`,
          inputSchema: { type: 'object', properties: {} },
          annotations: { readOnlyHint: true },
        })),
      }
    case 'tools/call':
      return MIXED[params.name].result
    default:
      return {}
  }
}

if (process.argv[1] === import.meta.filename) {
  process.stdin.setEncoding('utf8')
  let rest = ''
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines.filter((each) => each.trim() !== '')) {
      const message = JSON.parse(line)
      if (message.id === undefined || message.method === undefined) continue
      const result = answer(message)
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n`)
    }
  })
}
