import { enableCompileCache } from 'node:module'
import { cacheFolder } from '../workspace/files/own-folders.ts'

/** Lets Node cache the compiled code of the command in a folder that only this user can write. The next start takes a fifth less time. */
export function keepCompiledCode(): void {
  enableCompileCache(cacheFolder('compiled'))
}
