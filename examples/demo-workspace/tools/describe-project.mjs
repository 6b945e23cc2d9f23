// Answers twice: text for the model, and a table for people, as structured content.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n')
const rows = files.map((path) => ({
  path,
  lines: readFileSync(path, 'latin1').split('\n').length - 1,
}))
const total = rows.reduce((sum, row) => sum + row.lines, 0)

const summary = `${files.length} files, ${total} lines`

const answer = {
  content: [
    { type: 'text', text: summary },
    { type: 'hologram', data: 'no host knows this block: it is skipped, and that is said' },
  ],
  structuredContent: {
    kind: 'table',
    summary,
    data: {
      columns: [
        { key: 'path', label: 'File' },
        { key: 'lines', label: 'Lines', type: 'number', align: 'right' },
      ],
      rows,
    },
  },
}
process.stdout.write(JSON.stringify(answer))
