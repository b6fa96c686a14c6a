"""Tokugawa by Victor Gilhaus and Tizian Blumenthal: samurai of Kyoto and of Yedo."""
