"""Text to vectors: which model, where it comes from, and whether it is loaded.

Nothing here is imported before a query or the background job wants it, and numpy only when a model is loaded: the
extra `vectors` may be missing, and then everything goes on with words alone.

- `model`: what every model can do, and how a long text is cut;
- `packaged`, `onnx_file`, `endpoint`: the three places a model comes from;
- `choose`: the one that the settings name;
- `ready`: the one that this process has loaded;
- `batch`: vectors for memories that have none.
"""
