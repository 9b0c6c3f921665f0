"""The parts that need both table and calendar: the next scene, decisions between scenes, challenges, feeds, demos."""
