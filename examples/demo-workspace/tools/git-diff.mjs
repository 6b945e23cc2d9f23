// Answers with both texts of a file: whoever shows it finds the lines and words that differ.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const [path] = process.argv.slice(2)
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' })
const answer = {
  content: [{ type: 'text', text: git('diff', '--', path), annotations: { audience: ['assistant'] } }],
  structuredContent: {
    kind: 'diff',
    data: {
      path,
      original: git('show', `HEAD:${path}`),
      modified: readFileSync(path, 'utf8'),
      isNew: false,
    },
  },
}
process.stdout.write(JSON.stringify(answer))
