import { enableCompileCache } from 'node:module'
import { cacheFolder } from '../workspace/files/own-folders.ts'

/** Has Node keep what it compiles of the command, in a folder that only this user writes: the next start takes a fifth less. */
export function keepCompiledCode(): void {
  enableCompileCache(cacheFolder('compiled'))
}
