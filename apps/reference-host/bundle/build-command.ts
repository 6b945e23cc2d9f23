import { cp, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { bundled, written } from './bundle.ts'

/** What the command reads beside its code. */
const BESIDE = ['package.json', 'new-tool']

const own = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Builds the command into a folder as it is published, and gives the file that Node runs as `toolblocks`. */
export async function buildCommand(name: string): Promise<string> {
  // Below the application, so that it finds the libraries that it does not contain.
  const folder = own(`node_modules/.cache/${name}`)
  await rm(folder, { recursive: true, force: true })
  for (const each of BESIDE) await cp(own(each), `${folder}/${each}`, { recursive: true })
  await build({ ...bundled, cwd: own('.'), output: { ...written, dir: `${folder}/dist` } })
  return `${folder}/dist/main.js`
}
