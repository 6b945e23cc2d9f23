import { appendFile, readFile } from 'node:fs/promises'
import { booleanQuestion, defineTool, runTools, text, waiting } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const reviewNote = defineTool({
  name: 'review_note',
  summary: 'Go through a note line by line; what is kept goes to another file.',
  stateful: true,
  inputSchema: Type.Object({ name: Type.String(), to: Type.String() }),
  async *run({ name, to }) {
    let kept = 0
    try {
      for (const [index, line] of (await readFile(name, 'utf8')).trimEnd().split('\n').entries()) {
        const question = booleanQuestion({ id: `line_${index + 1}`, text: 'Keep this line?' })
        if ((yield waiting(question, text(line))) !== true) continue
        await appendFile(to, `${line}\n`)
        kept += 1
      }
      const title = yield waiting('What is the title?')
      return text(`${JSON.stringify(title)}: ${kept} lines are kept.`)
    } finally {
      // Runs when the tool is aborted, too.
      await appendFile(to, '-- reviewed\n')
    }
  },
})

await runTools([reviewNote])
