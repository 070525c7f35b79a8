"""Measuring recall on data that somebody has: how well it finds, and whether it knows when to be silent.

Adapters read a data set into documents and questions (`corpus`); everything behind them is the same for all: documents
go into a real store as events and notes, production search answers, plain methods answer beside it, and the figures get
bootstrap intervals. Nothing in the rest of the package knows a data set.

- `locomo`, `longmemeval`, `sde_bench`, `commits`, `transcripts`, `own_sets`: the adapters;
- `loading`, `production`: a store with the documents, and what production finds in it;
- `plain`: BM25, vectors alone, both fused by rank;
- `metrics`, `bootstrap`: from ranked lists to figures;
- `silence`: prompts that nothing fits, and the gate's curve;
- `run`, `report`: all of it, as tables or JSON.
"""
