// What LangGraph's checkpointer uses of better-sqlite3, on node:sqlite: nothing has to be compiled, and both sides are measured with the same engine.
const { DatabaseSync } = require('node:sqlite')

module.exports = class Database {
  constructor(file) {
    this.database = new DatabaseSync(file)
  }

  pragma(text) {
    this.database.exec(`PRAGMA ${text}`)
  }

  exec(text) {
    this.database.exec(text)
  }

  prepare(text) {
    const statement = this.database.prepare(text)
    const run =
      (method) =>
      (...values) =>
        statement[method](...values.map((value) => value ?? null))
    return { run: run('run'), get: run('get'), all: run('all') }
  }

  transaction(work) {
    return (...args) => {
      this.database.exec('BEGIN')
      try {
        const value = work(...args)
        this.database.exec('COMMIT')
        return value
      } catch (error) {
        this.database.exec('ROLLBACK')
        throw error
      }
    }
  }

  close() {
    this.database.close()
  }
}
