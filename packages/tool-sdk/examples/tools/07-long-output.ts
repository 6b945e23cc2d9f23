// Long output: a whole file as a resource, and the same file by pages.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineTool, failure, resource, runTools, text } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const PAGE = 50

const readWhole = defineTool({
  name: 'read_whole',
  summary: 'Read a file. The host shortens it where it is long.',
  inputSchema: Type.Object({ path: Type.String() }),
  run: ({ path }, { root }) => resource(path, { root }),
})

const readPage = defineTool({
  name: 'read_page',
  summary: `Read ${PAGE} lines of a file.`,
  inputSchema: Type.Object({
    path: Type.String(),
    page: Type.Integer({ minimum: 1, default: 1 }),
  }),
  annotations: { readOnlyHint: true },
  async run({ path, page }, { root }) {
    const lines = (await readFile(join(root, path), 'utf8')).trimEnd().split('\n')
    const pages = Math.ceil(lines.length / PAGE)
    if (page > pages)
      return failure(`${path} has ${pages} pages. Choose a page from 1 to ${pages}.`)
    const first = (page - 1) * PAGE
    const pageLines = lines.slice(first, first + PAGE)
    const lineRange = `#L${first + 1}-${first + pageLines.length}`
    const uri = pathToFileURL(join(root, path)).href + lineRange
    return [
      await resource({ uri, mimeType: 'text/plain', text: pageLines.join('\n') }),
      page < pages
        ? text(`Page ${page} of ${pages}. Go on with page ${page + 1}.`)
        : 'This is the end.',
    ]
  },
})

await runTools([readWhole, readPage])
