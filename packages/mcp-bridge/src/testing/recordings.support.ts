import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { JsonObject } from '@toolblocks/protocol'

/** What a published server has answered. `tools/record-servers.mjs` writes it. */
export interface ServerRecording {
  name: string
  /** The name of the package on npm. */
  package: string
  version: string
  licence: string
  exchanges: readonly { method: string; params: JsonObject; result: JsonObject }[]
}

const FOLDER = join(import.meta.dirname, '../../recordings')

/** Returns the names of all recorded servers. */
export function listRecordings(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json.gz'))
    .map((file) => basename(file, '.json.gz'))
    .toSorted()
}

/** Reads the recording of a server. */
export function readRecording(name: string): ServerRecording {
  const bytes = gunzipSync(readFileSync(join(FOLDER, `${name}.json.gz`)))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tool that records writes it so
  return JSON.parse(bytes.toString('utf8')) as ServerRecording
}
