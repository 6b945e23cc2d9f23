// Appends to a store in a folder, counts the appends in a document, and writes the number of acknowledged events to the file `acknowledged`: node recorded-writer.support.ts FOLDER
// full|normal|off APPENDS. With `off`, SQLite never waits for the disk, which no store does.
import { openSync, readFileSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { openStore } from '../open-store.ts'
import { countBatch, getBatch, INDEX_BYTES, STORE_PATH } from './batches.support.ts'

const [, , folder = '', durability = '', appends = ''] = process.argv
const { exec } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (sql) {
  const chosen = durability === 'off' ? sql.replace('synchronous = FULL', 'synchronous = OFF') : sql
  // A small log is written back to the database often, so that a short recording contains it.
  const isSetUp = sql.includes('journal_mode')
  exec.call(this, isSetUp ? `${chosen}; PRAGMA wal_autocheckpoint = 24` : chosen)
}
const SECRET = 'correct horse battery'

const acknowledged = openSync(`${folder}/acknowledged`, 'a')
const index = openSync(`${folder}/index`, 'a')
const options = { durability: durability === 'normal' ? 'normal' : 'full' } as const
const open = async (): ReturnType<typeof openStore> =>
  await openStore(`sqlite:${folder}/${STORE_PATH}`, options)
let store = await open()
let seq = 0
for (let batch = 0; batch < Number(appends); batch++) {
  const appended = await store.append('c', seq, getBatch(batch))
  seq = appended.seq
  await countBatch(store, batch)
  // Changes of the index file are not calls, so the recorder cannot see them.
  writeSync(index, readFileSync(`${folder}/${STORE_PATH}-shm`).subarray(0, INDEX_BYTES))
  writeSync(acknowledged, `${seq}\n`)
  if (batch % 16 === 5) {
    await store.append('leak', 0, [
      { type: 'user_message', content: [{ type: 'text', text: SECRET }] },
    ])
    await store.scrub({ secret: SECRET, conversation: 'leak' })
    await store.delete('leak')
  }
  if (batch % 16 === 9) await store.search({ text: 'event' })
  if (batch % 16 !== 13) continue
  await store.close()
  store = await open()
}
await store.close()
