// Progress, a log, and an end when the call is aborted.
import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool, runTools, table } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const hashFiles = defineTool({
  name: 'hash_files',
  summary: 'Compute the SHA-256 of each file of the workspace.',
  inputSchema: Type.Object({
    pauseMs: Type.Integer({ minimum: 0, default: 0, description: 'To wait before each file.' }),
  }),
  annotations: { readOnlyHint: true },
  async run({ pauseMs }, { root, signal, progress, log }) {
    const entries = await readdir(root, { withFileTypes: true })
    const names = entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted()
    log('info', `${names.length} files`)
    const rows: { name: string; sha256: string }[] = []
    try {
      for (const name of names) {
        await sleep(pauseMs, undefined, { signal })
        const bytes = await readFile(join(root, name), { signal })
        rows.push({ name, sha256: createHash('sha256').update(bytes).digest('hex').slice(0, 12) })
        progress(rows.length, names.length, name)
      }
    } finally {
      log('debug', `${rows.length} files are hashed`)
    }
    return table({ rows })
  },
})

await runTools([hashFiles])
