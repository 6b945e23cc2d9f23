export { createPtyTool, type PtyToolOptions } from './pty/create-pty-tool.ts'
