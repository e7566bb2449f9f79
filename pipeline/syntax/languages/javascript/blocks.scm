; JavaScript only: no blocks beyond those in common with TypeScript
